/*
 * A parcel office: what ordinary integer programs do. Records are filled,
 * copied as a whole and linked by pointers; names are copied and compared
 * byte by byte; short procedures get arguments by value and by reference;
 * arithmetic is small, branches are many.
 *
 * A round is a day. Parcels come in with an address written on them; the
 * address is read back from its text, the town looked up by name, the postage
 * computed, and a copy of the record kept in the town's queue, lightest first.
 * A full queue is driven out: what is delivered must be what was sent.
 */
#include "../common/rounds.h"

#include <stdbool.h>
#include <string.h>

enum {
    DAYS = 2000,
    PARCELS = 100, /* a day */
    TOWNS = 8,
    VAN = 6, /* parcels that a van takes */
    TEXT = 32,
    POOL = TOWNS * VAN,
};

enum kind { LETTER, BOOK, BOX, CRATE, KINDS };

struct address {
    char town[TEXT];
    char street[TEXT]; /* "Name Road 123" */
};

struct parcel {
    struct parcel *next;
    enum kind kind;
    int32_t grams, cents;
    uint32_t number;
    struct address to;
};

struct office {
    struct parcel pool[POOL];
    struct parcel *unused;
    struct parcel *queue[TOWNS];
    int32_t waiting[TOWNS];
    int32_t income;
    uint32_t seed, sum;
    bool wrong;
};

/* Sorted, with long common beginnings: comparisons take a while. */
static const char towns[TOWNS][TEXT] = {
    "Alderbrook-on-the-Water",
    "Alderbrook-under-Wood",
    "Bexley Cross",
    "Bexley Crossing",
    "Kettle Hill North",
    "Kettle Hill South",
    "Wending",
    "Wendingham Market",
};

static const char streets[4][TEXT] = {"Mill Road ", "Old Mill Road ",
                                      "Orchard Way ", "Quay "};

#define PROCEDURE static __attribute__((noinline))

/* Copies text; returns where its end is now. */
PROCEDURE char *copy_text(char *to, const char *from)
{
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}

PROCEDURE int compare_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

PROCEDURE char *write_number(char *to, uint32_t number)
{
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count)
        *to++ = digits[--count];
    *to = '\0';
    return to;
}

/* The number at the end of the text, or of an empty one 0. */
PROCEDURE uint32_t read_number(const char *text)
{
    uint32_t number = 0;
    for (; *text; text++)
        number = *text >= '0' && *text <= '9'
                     ? number * 10 + (uint32_t)(*text - '0')
                     : 0;
    return number;
}

PROCEDURE bool find_town(const char *name, int *found)
{
    int low = 0, high = TOWNS - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = compare_text(name, towns[middle]);
        if (order == 0) {
            *found = middle;
            return true;
        }
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return false;
}

PROCEDURE int32_t postage(enum kind kind, int32_t grams, int32_t distance)
{
    switch (kind) {
    case LETTER:
        return grams <= 20 ? 85 : 85 + (grams - 20) * 3;
    case BOOK:
        return 150 + grams / 25;
    case BOX:
        return 400 + grams * distance / 2000;
    default:
        return 900 + (grams / 500 + 1) * (40 + distance % 60);
    }
}

PROCEDURE void write_address(struct address *to, uint32_t random)
{
    char *end = copy_text(to->street, streets[random % 4]);
    write_number(end, random / 4 % 300);
    copy_text(to->town, towns[random / 8 % TOWNS]);
}

PROCEDURE void fill_in(struct office *office, struct parcel *parcel,
                       uint32_t number)
{
    uint32_t random = rounds_random(&office->seed);
    parcel->next = NULL;
    parcel->kind = (enum kind)(random / 5 % KINDS);
    parcel->grams = (int32_t)(random % 4001) + 10;
    parcel->number = number;
    write_address(&parcel->to, rounds_random(&office->seed));
}

/* The lightest first; of equally heavy ones the later. */
PROCEDURE void insert(struct parcel **queue, struct parcel *parcel)
{
    while (*queue && (*queue)->grams < parcel->grams)
        queue = &(*queue)->next;
    parcel->next = *queue;
    *queue = parcel;
}

PROCEDURE void deliver(struct office *office, const struct parcel *parcel,
                       int town)
{
    uint32_t house = read_number(parcel->to.street);
    if (compare_text(parcel->to.town, towns[town]) || house >= 300)
        office->wrong = true;
    office->sum = rounds_mix(office->sum, parcel->number);
    office->sum = rounds_mix(office->sum, (uint32_t)parcel->cents + house);
    for (const char *c = parcel->to.street; *c; c++)
        office->sum += (uint32_t)*c;
}

/* Empties the queue of a town; its records may be used again. */
PROCEDURE void drive(struct office *office, int town)
{
    int32_t before = 0;
    while (office->queue[town]) {
        struct parcel *parcel = office->queue[town];
        office->queue[town] = parcel->next;
        if (parcel->grams < before)
            office->wrong = true;
        before = parcel->grams;
        deliver(office, parcel, town);
        parcel->next = office->unused;
        office->unused = parcel;
    }
    office->waiting[town] = 0;
}

PROCEDURE void accept(struct office *office, const struct parcel *sent)
{
    int town;
    if (!find_town(sent->to.town, &town)) {
        office->wrong = true;
        return;
    }
    if (office->waiting[town] == VAN)
        drive(office, town);
    struct parcel *kept = office->unused;
    office->unused = kept->next;
    *kept = *sent;
    kept->cents = postage(kept->kind, kept->grams, 35 * town + 7);
    office->income += kept->cents;
    office->waiting[town]++;
    insert(&office->queue[town], kept);
}

PROCEDURE void open_office(struct office *office, uint32_t day)
{
    office->unused = NULL;
    for (int i = 0; i < POOL; i++) {
        office->pool[i].next = office->unused;
        office->unused = &office->pool[i];
    }
    office->income = 0;
    office->seed = day;
    office->sum = 0;
    office->wrong = false;
}

static uint32_t one_day(struct office *office, uint32_t day)
{
    struct parcel parcel;
    memset(&parcel, 0, sizeof parcel);
    open_office(office, day);
    for (uint32_t i = 0; i < PARCELS; i++) {
        fill_in(office, &parcel, i);
        accept(office, &parcel);
    }
    for (int town = 0; town < TOWNS; town++)
        drive(office, town);
    return rounds_mix(office->sum, (uint32_t)office->income);
}

static void kernel(void *arg)
{
    struct rounds *rounds = arg;
    struct office *office = rounds_state(rounds);
    uint32_t sum = 0;
    for (uint32_t day; (day = corbel_next()) < rounds->count;) {
        sum += one_day(office, day);
        if (office->wrong)
            rounds_wrong(rounds);
    }
    rounds_add(rounds, sum);
}

int main(int argc, char **argv)
{
    struct rounds rounds = {.program = "records",
                            .count = DAYS,
                            .state_size = sizeof(struct office)};
    rounds_parse(&rounds, argc, argv, "records [ROUNDS]");
    return rounds_run(&rounds, kernel);
}
