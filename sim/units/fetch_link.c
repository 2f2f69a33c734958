#include "sim/units/fetch_link.h"

void fetch_link_new(struct fetch_link *l, struct unit *asker, uint32_t tags)
{
    l->asker = asker;
    l->cycles = chip_alloc(asker->chip, WHEEL, sizeof *l->cycles);
    l->missing = chip_alloc(asker->chip, tags, sizeof *l->missing);
    l->far = chip_alloc(asker->chip, tags, sizeof *l->far);
}

void fetch_link_room(struct fetch_link *l, uint32_t ports, uint32_t asks)
{
    uint32_t room = 1;
    while (room < asks)
        room *= 2;
    for (uint32_t i = 0; i < ports && i < FETCH_PORTS; i++)
        l->asks[i] = (struct fetch_asks){
            .ring = chip_alloc(l->asker->chip, room, sizeof(fetch_ask_t)),
            .mask = (uint16_t)(room - 1)};
}

/* The wheel reaches no further: the asker looks again then. */
static void look_again(const struct fetch_link *l)
{
    unit_wake(l->asker, l->asker->tile->now + WHEEL - 1);
}

void fetch_link_note_far(struct fetch_link *l, uint64_t at, uint32_t port,
                         uint32_t tag)
{
    l->far[l->far_count++] =
        (struct fetch_far){at, (uint8_t)tag, (uint8_t)port};
    look_again(l);
}

void fetch_link_bring_near(struct fetch_link *l, uint64_t now)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < l->far_count; i++) {
        struct fetch_far f = l->far[i];
        if (f.at - now >= WHEEL) {
            l->far[left++] = f;
            continue;
        }
        struct fetch_cycle *c = &l->cycles[f.at % WHEEL];
        c->tags[f.port] = f.tag;
        c->ports |= (uint8_t)(1u << f.port);
        unit_wake(l->asker, f.at);
    }
    l->far_count = left;
    if (left)
        look_again(l);
}
