/* What the units of rtp share is made by the first of them that is built. */
#include "sim/units/rtp/rtp_machine.h"
#include "sim/rtp/rtp_decode.h"

const struct shared_kind rtp_machine_kind;

#define STATE_STRUCT struct rtp_machine
static const struct state_row pointers[] = {
    STATE_POINTER(results), STATE_POINTER(local), STATE_POINTER(first_core),
    STATE_LIST(states), STATE_LIST(records)};

struct rtp_machine *rtp_machine_build(struct unit *u)
{
    struct machine *machine = chip_context(u->chip);
    struct rtp_machine *m = rtp_machine_of(machine);
    if (!m) {
        m = chip_alloc_for(u->chip, 1, sizeof *m,
                           "the program of the RT cores");
        chip_pointers(u->chip, m, sizeof *m, pointers, TABLE_COUNT(pointers));
        rtp_set_pixels(u->chip, m, 0);
        rtp_machine_use(machine, m);
    }
    return m;
}

void rtp_set_pixels(struct chip *chip, struct rtp_machine *m, uint32_t pixels)
{
    m->pixels = pixels;
    m->results =
        chip_alloc_for(chip, rtp_patches(m), sizeof *m->results, "the results");
}

struct rtp_record *rtp_record_new(struct unit *u)
{
    struct rtp_machine *m = rtp_machine_build(u);
    if (!m->recording || m->record_count == RTP_RECORDS_MAX)
        return NULL;
    return m->records[m->record_count++] =
               chip_alloc(u->chip, 1, sizeof(struct rtp_record));
}

void rtp_push_later(struct unit *u, struct outport *o, const struct msg *m,
                    const struct payload *payload, uint64_t delay)
{
    uint32_t index = unit_new_msg(u);
    struct msg *to = unit_msg(u, index);
    msg_copy(to, m);
    if (payload)
        unit_attach(u, index, payload);
    link_forward_later(o, index, delay);
}
