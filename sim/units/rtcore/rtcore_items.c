/*
 * The RT core of a streaming chip: in place of rays of thread processors its
 * slots trace items, each a ray and the treelet that it is to be traced
 * through. A free slot asks the TM's staging buffer for one. Where the ray
 * enters another treelet, the ray, cut at its closest hit so far, goes back as
 * an item of that treelet, and the traversal goes on with what waits on the
 * stack; nothing leads back up. When nothing is left, a hit that was found is
 * sent to its record, and the slot asks again.
 *
 * With a policy other than copy an item moves instead: where it enters another
 * treelet, all that is known of it leaves the slot (rtcore_moves.c).
 *
 * A message a cycle goes to the staging buffer: hits first, then items, then
 * requests for items, then requests for records (parameter early). It begins
 * to ask when the staging buffer says that the kernel uses streams.
 */
#include "sim/units/rtcore/rtcore_items.h"
#include <corbel/treelets.h>

bool items_new(struct rtcore *r, struct error *error)
{
    struct unit *u = &r->unit;
    const uint8_t policy = (uint8_t)r->params.policy;
    if (u->links[RAY] || !u->links[WORK] || !u->links[ITEM])
        return error_set(error, "a link to and from a staging buffer: expected "
                                "both, and no rays of thread processors");
    if (policy && link_depth(&u->out[ITEM][0]) < 2)
        return error_set(error, "a ray that moves is 2 messages at once, the "
                                "item link holds 1");
    r->items = chip_alloc(u->chip, 1, sizeof *r->items);
    r->items->of = chip_alloc(u->chip, r->slot_count, sizeof *r->items->of);
    r->items->policy = policy;
    r->items->early = r->params.early;
    if (policy)
        moves_new(r);
    fifo_new(&r->items->children, r);
    fifo_new(&r->items->wants, r);
    fifo_new(&r->items->records, r);
    return true;
}

static uint8_t kernel_now(const struct items *i)
{
    return stream_kernel(i->launches);
}

/* ---- slots without a ray ---- */

/* A slot is no longer among the free ones: it asks for an item. */
static void want(struct rtcore *r)
{
    struct items *i = r->items;
    uint32_t slot = r->free_slot;
    r->free_slot = (uint16_t)r->slots[slot].first;
    i->of[slot].use = USE_WANTS;
    fifo_push(&i->wants, slot);
    r->standing++;
}

static void give_up(struct rtcore *r, uint32_t slot)
{
    r->items->of[slot].use = USE_NONE;
    r->slots[slot].first = r->free_slot;
    r->free_slot = (uint16_t)slot;
}

static void end_asking(struct rtcore *r, uint32_t slot, uint64_t now)
{
    r->items->asked--;
    r->items->asked_between += now;
    r->items->of[slot].use = USE_NONE;
}

/* Slots that still trace rays of an earlier kernel go on: what they send is
 * dropped. */
void items_launch(struct rtcore *r, uint64_t now)
{
    struct items *i = r->items;
    i->launches++;
    i->active = false;
    while (fifo_any(&i->wants)) {
        give_up(r, fifo_pop(&i->wants));
        r->standing--;
    }
    for (uint32_t slot = 0; slot < r->slot_count; slot++)
        if (i->of[slot].use == USE_ASKED) {
            end_asking(r, slot, now);
            give_up(r, slot);
        }
}

/* The slot's ray is over or goes on elsewhere; the slot asks for the next one.
 */
static void leave(struct rtcore *r, uint32_t slot, bool over, uint64_t now)
{
    struct items *i = r->items;
    rtcore_count_ray(r, slot, now, over);
    rtcore_vacate(r, slot, now);
    i->of[slot].use = USE_NONE;
    if (i->active)
        want(r);
}

/* ---- messages of the staging buffer ---- */

/* Begins a ray in the slot's scene. */
static void start(struct rtcore *r, uint32_t slot, const struct corbel_ray *ray)
{
    struct ray *taken = rtcore_ray(r, slot);
    struct corbel_traversal_setup setup;
    rtcore_setup(r, taken->scene, &setup);
    corbel_traversal_start(&taken->traversal, taken->scene, ray, CORBEL_CLOSEST,
                           &setup);
    corbel_traversal_enter(
        &taken->traversal,
        corbel_treelet_root(taken->scene, r->items->of[slot].segment));
}

void items_taken(struct rtcore *r, const struct msg *m, bool root, uint64_t now)
{
    uint32_t slot = m->from;
    end_asking(r, slot, now);
    r->stats.items++;
    r->stats.rays += root;
    work_note(r->machine, &r->unit, WORK_rays, 0, root);
    r->items->of[slot] = (struct item){.ray = (uint32_t)m->addr,
                                       .segment = m->tag,
                                       .use = USE_RAY,
                                       .kernel = m->size};
}

/* With `early` the ray waits for its record, which may cut it. */
static void take_item(struct rtcore *r, const struct msg *m, uint64_t now)
{
    uint32_t slot = m->from;
    struct payload p = msg_payload(&r->unit, m);
    struct corbel_ray ray = stream_ray(p.bytes);
    items_taken(r, m, m->tag == 0, now);
    rtcore_ray(r, slot)->scene = r->machine->scene;
    start(r, slot, &ray);
    rtcore_occupy(r, slot, STATE_ray_record, now);
    if (!r->items->early) {
        rtcore_ready(r, slot, STATE_ray_record, now);
        return;
    }
    fifo_push(&r->items->records, slot);
    r->standing++;
}

/* The ray need not look for hits behind the one in its record. It may have
 * outlived its kernel, and another scene be bound by now. */
static void take_record(struct rtcore *r, const struct msg *m, uint64_t now)
{
    uint32_t slot = m->from;
    struct payload p = msg_payload(&r->unit, m);
    struct corbel_ray ray = rtcore_ray(r, slot)->traversal.ray;
    float known = stream_hit(p.bytes).t;
    ray.tmax = known < ray.tmax ? known : ray.tmax;
    start(r, slot, &ray);
    rtcore_ready(r, slot, STATE_ray_record, now);
}

/* All free slots ask. */
static void begin(struct rtcore *r)
{
    r->items->active = true;
    while (r->free_slot != NO_SLOT)
        want(r);
}

static void take_end(struct rtcore *r, uint32_t slot, uint64_t now)
{
    r->items->active = false;
    end_asking(r, slot, now);
    give_up(r, slot);
}

static void take_message(struct rtcore *r, const struct msg *m, uint64_t now)
{
    switch (m->op) {
    case STREAM_BEGIN:
        begin(r);
        break;
    case STREAM_ITEM:
        take_item(r, m, now);
        break;
    case STREAM_RAY:
    case STREAM_STATE:
        moves_take(r, m, now);
        break;
    case STREAM_HIT:
        take_record(r, m, now);
        break;
    case STREAM_END:
        take_end(r, m->from, now);
        break;
    default:
        assert(!"a message that no staging buffer sends");
    }
}

/* Is it about the kernel that runs, or about a ray that outlived its own? */
static bool is_due(const struct items *i, const struct msg *m)
{
    return m->op == STREAM_HIT ? i->of[m->from].kernel == m->size
                               : m->size == kernel_now(i);
}

static uint8_t take_one(struct rtcore *r, uint64_t now)
{
    struct msg m = link_pop(&r->unit.in[WORK][0]);
    if (is_due(r->items, &m))
        take_message(r, &m, now);
    else if (m.flags & MSG_PAYLOAD)
        msg_payload(&r->unit, &m);
    return m.op;
}

/* The two halves of a ray that moves take one cycle. */
void items_take(struct rtcore *r, uint64_t now)
{
    uint64_t *pending = unit_pending(&r->unit, WORK);
    if (!*pending)
        return;
    if (take_one(r, now) == STREAM_RAY && *pending)
        take_one(r, now);
    r->leftover |= *pending ? WORK_LEFT : 0;
}

/* ---- messages to it ---- */

struct msg items_message(const struct rtcore *r, uint32_t slot, uint8_t op)
{
    const struct item *item = &r->items->of[slot];
    return (struct msg){.op = op,
                        .addr = item->ray,
                        .from = slot,
                        .tag = item->segment,
                        .size = item->kernel};
}

/* What the ray has found, or which access the memory has refused it. */
static void send_end(struct rtcore *r, uint32_t slot)
{
    struct outport *o = &r->unit.out[ITEM][0];
    struct msg m = items_message(
        r, slot, r->items->policy ? STREAM_OVER : STREAM_HIT_STORE);
    struct payload p = {{0}};
    if (r->slots[slot].refused) {
        m.op = MEM_FAULT;
        m.aux = MEM_READ;
        m.addr = r->refusals[slot].address;
        m.value = r->refusals[slot].unit;
        link_push(o, &m);
        return;
    }
    memcpy(p.bytes, &rtcore_ray(r, slot)->traversal.hit,
           sizeof(struct corbel_hit));
    link_push_full(o, &m, &p);
}

/* The ray as an item of the treelet that it enters, and no farther than its
 * closest hit so far; then it goes on with what waits. */
static void send_child(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct ray *ray = rtcore_ray(r, slot);
    struct corbel_traversal *t = &ray->traversal;
    struct corbel_ray cut = t->ray;
    struct msg m = items_message(r, slot, STREAM_ITEM);
    struct payload p;
    cut.tmax = t->hit.t;
    m.tag = corbel_treelet_of(ray->scene, t->ref);
    m.aux = r->items->of[slot].hint;
    r->items->of[slot].hint += m.aux < STREAM_HINT_MAX;
    memcpy(p.bytes, &cut, sizeof cut);
    link_push_full(&r->unit.out[ITEM][0], &m, &p);
    corbel_traversal_pop(t);
    rtcore_ready(r, slot, STATE_ray_child, now);
    r->stats.children++;
}

static void send_want(struct rtcore *r, uint32_t slot, uint64_t now)
{
    struct items *i = r->items;
    i->of[slot] = (struct item){.use = USE_ASKED, .kernel = kernel_now(i)};
    i->asked++;
    i->asked_between -= now;
    struct msg m = items_message(r, slot, STREAM_LOAD);
    link_push(&r->unit.out[ITEM][0], &m);
}

static void send_record(struct rtcore *r, uint32_t slot)
{
    struct msg m = items_message(r, slot, STREAM_HIT_LOAD);
    link_push(&r->unit.out[ITEM][0], &m);
    r->stats.records++;
}

static uint32_t next_of(struct rtcore *r, struct fifo *f)
{
    r->standing--;
    r->worked = true;
    return fifo_pop(f);
}

static void send_one(struct rtcore *r, uint64_t now)
{
    struct items *i = r->items;
    if (fifo_any(&r->finished)) {
        uint32_t slot = next_of(r, &r->finished);
        send_end(r, slot);
        leave(r, slot, true, now);
    } else if (fifo_any(&i->children) && i->policy) {
        uint32_t slot = next_of(r, &i->children);
        moves_send(r, slot);
        leave(r, slot, false, now);
    } else if (fifo_any(&i->children)) {
        send_child(r, next_of(r, &i->children), now);
    } else if (fifo_any(&i->wants)) {
        send_want(r, next_of(r, &i->wants), now);
    } else {
        send_record(r, next_of(r, &i->records));
    }
}

/* Rays that have hit nothing are finished without a message, if no thread waits
 * for them. */
static void leave_misses(struct rtcore *r, uint64_t now)
{
    while (fifo_any(&r->finished) && !r->items->policy) {
        uint32_t slot = fifo_first(&r->finished);
        if (r->slots[slot].refused ||
            rtcore_ray(r, slot)->traversal.hit.index != CORBEL_MISS)
            return;
        leave(r, next_of(r, &r->finished), true, now);
    }
}

static bool any_waits(const struct rtcore *r)
{
    const struct items *i = r->items;
    return fifo_any(&r->finished) || fifo_any(&i->children) ||
           fifo_any(&i->wants) || fifo_any(&i->records);
}

void items_move(struct rtcore *r, uint64_t now)
{
    r->returning = false;
    leave_misses(r, now);
    if (!any_waits(r) ||
        !link_ready_for(&r->unit.out[ITEM][0], r->items->policy ? 2 : 1))
        return;
    send_one(r, now);
    r->returning = any_waits(r);
}

void items_cross(struct rtcore *r, uint32_t slot, uint64_t now)
{
    rtcore_move(r, &r->slots[slot], STATE_ray_request, STATE_ray_child, now);
    fifo_push(&r->items->children, slot);
    r->standing++;
}

/* ---- what is said of it ---- */

void items_close(struct rtcore *r, uint64_t now)
{
    const struct items *i = r->items;
    r->stats.item_cycles = i->asked_between + i->asked * now;
}

void items_explain(const struct rtcore *r, FILE *out)
{
    if (r->items->asked)
        fprintf(out, "%s: %u slots wait for items\n", r->unit.name,
                r->items->asked);
}
