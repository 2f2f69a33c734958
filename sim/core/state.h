/*
 * The state of a chip and of its host, as a checkpoint has it. One function
 * lists what belongs to it, and both saves it and loads it: state.loading says
 * which. What lies in memory of chip_alloc is the engine's to list; of units
 * only their kind's pointers have to be named, as a checkpoint has the places
 * that they lead to in their stead (chip_state.c).
 *
 * A checkpoint is loaded into a chip that was built with the same parameters
 * and has not run.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state {
    bool loading;
    bool failed; /* error says why; bytes are zeroes from then on */
    /* Moves bytes to the file or from there. False: errors, see error. */
    bool (*move)(struct state *s, void *bytes, size_t count);
    bool covers; /* a checked build looks at what is saved: covered.h */
    struct error error;
};

/* Writes `count` bytes, or reads them over what is there. */
void state_bytes(struct state *s, void *bytes, size_t count);
#define STATE_VALUE(s, value) state_bytes(s, &(value), sizeof(value))
/* A bool; a file that has something else is refused. */
void state_flag(struct state *s, bool *flag);
/* A count or number that is at most `most`; a file that has a greater one is
 * refused, by the name. */
void state_number(struct state *s, uint32_t *value, uint64_t most,
                  const char *name);
/* What must be the same in both: a file that has another is refused. */
void state_same(struct state *s, uint64_t value, const char *name);
/* An array of heap.h with *count elements in use, which grows where it has to.
 * Returns the array, whose room is at least *count. */
void *state_array(struct state *s, void *array, uint32_t *count, uint32_t *room,
                  size_t size, const char *name);
/* A struct with pointers that stay what they are: take gives `to` those of
 * `from`, and the file has zeroes in their stead. */
void state_struct(struct state *s, void *object, size_t bytes,
                  void (*take)(void *to, const void *from));
/* A text of heap.h; NULL may be one. */
void state_text(struct state *s, char **text, const char *name);
/* A checked build looks whether all of a struct is saved that is saved member
 * by member. state_rest says of members that they need not be, or are saved in
 * another form; state_fixed says that memory of heap.h, and all that it leads
 * to, stays as it is when the chip is built. */
#define STATE_REST(s, value) state_rest(s, &(value), sizeof(value))
void state_rest(const struct state *s, const void *memory, size_t bytes);
void state_fixed(const struct state *s, const void *memory);
/* Around all that is saved, in a checked build: fails at the end if something
 * has been forgotten. */
void state_cover(struct state *s);
void state_covered(struct state *s);
/* The first error stands. Always false. */
bool state_fail(struct state *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- pointers of units ---- */

/*
 * A pointer that is part of a unit's struct, or, with `inner`, of each element
 * of the block of chip_alloc that one in the struct leads to. A kind lists
 * those that it has, in a table state_rows where STATE_STRUCT is its struct.
 * Pointers to elsewhere than the chip's memory, the guest's and the program's
 * own keep the value that they have when the chip is built, as that of a block
 * of heap.h has to. A checked build looks for pointers that are in no table.
 */
struct state_row {
    const char *name;
    size_t at;     /* in the struct */
    size_t inner;  /* 1 + place in an element; 0: the pointer itself */
    size_t bytes;  /* of an element */
    size_t stride; /* 1 + place in the struct of a uint32_t with the bytes of an
                      element; 0: see bytes */
    size_t count;  /* of pointers, `bytes` apart in the struct; 0: one */
};

// clang-format off
#define STATE_ELEMENT(array) *((STATE_STRUCT *)0)->array
/* A kind, or struct, that has none. */
#define STATE_NO_POINTERS {NULL, 0, 0, 0, 0, 0}
/* One of the struct; of the elements of an array that is in the struct; of the
 * elements of one that it points to. LIST: the elements are pointers. */
#define STATE_POINTER(member) \
    {#member, offsetof(STATE_STRUCT, member), 0, 0, 0, 0}
#define STATE_EACH(array, member)                                              \
    {#array "[]." #member, offsetof(STATE_STRUCT, array[0].member), 0,         \
     sizeof ((STATE_STRUCT *)0)->array[0], 0,                                  \
     sizeof ((STATE_STRUCT *)0)->array / sizeof ((STATE_STRUCT *)0)->array[0]}
#define STATE_LIST(array)                                                      \
    {#array "[]", offsetof(STATE_STRUCT, array[0]), 0, sizeof(char *), 0,      \
     sizeof ((STATE_STRUCT *)0)->array / sizeof(char *)}
#define STATE_POINTERS(array, member)                                          \
    {#array "[]." #member, offsetof(STATE_STRUCT, array),                      \
     1 + offsetof(__typeof__(STATE_ELEMENT(array)), member),                   \
     sizeof(STATE_ELEMENT(array)), 0, 0}
/* A row of an array whose elements are as long as a member says. */
#define STATE_STRIDE(array, type, member, length)                              \
    {#array "[]." #member, offsetof(STATE_STRUCT, array),                      \
     1 + offsetof(type, member), 0, 1 + offsetof(STATE_STRUCT, length), 0}
// clang-format on

#endif
