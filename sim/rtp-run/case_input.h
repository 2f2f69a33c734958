/*
 * Cases: objects of JSON, one a line, or rows of a table; and the one line that
 * says how a case differs.
 */
#ifndef SIM_RTP_RUN_CASE_INPUT_H
#define SIM_RTP_RUN_CASE_INPUT_H

#include "sim/core/error.h"
#include "sim/rtp/rtp.h"
#include <cjson/cJSON.h>
#include <stdint.h>

/* The next line of a text, ended by 0; NULL: there is none. */
char *input_line(char **text);
/* Splits a row at its commas; returns the number of cells, `most` at most. */
unsigned input_cells(char *row, char **cells, unsigned most);

/* Has the case the shape that all below expects? Numbers are integers from 0 to
 * 2^53, lists and counts not larger than the chip has place for, and where
 * there are keys there is an object. */
bool input_check(const cJSON *object, struct error *error);

/* Members of a case that has been checked. Words are hexadecimal text. A member
 * that is not there is 0, empty or NULL. */
uint32_t input_word(const cJSON *text);
uint64_t input_value(const cJSON *number);
uint64_t input_number(const cJSON *object, const char *name);
/* The number that is the key of a member of an object. */
uint32_t input_key(const cJSON *member, int base);
bool input_flag(const cJSON *object, const char *name);
const char *input_text(const cJSON *object, const char *name);
/* Reads an array of words; returns how many it has, `most` at most. */
uint32_t input_words(const cJSON *array, uint32_t *words, uint32_t most);

/* Says how a case differs, in one line; always returns false. */
bool differs(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Are these what the case has? `what`: of what they are words. */
bool same_words(const char *name, const char *what, const uint32_t *is,
                const cJSON *array, uint32_t count);
/* The same of a thread's local memory, whose words that are not 0 are the
 * members of an object by their offsets. */
bool same_local(const char *name, uint32_t thread, const uint32_t *local,
                const cJSON *object);

/* Exit statuses of rtp-run, documented in docs/reference/rtp-run.md. */
enum status {
    STATUS_EQUAL = 0,
    STATUS_DIFFERENT = 1,
    STATUS_USAGE = 2,
    STATUS_INPUT = 3,
    STATUS_OUTPUT = 4,
};

/* What the command line asks for. */
struct replay_options {
    const char *const *settings; /* --set */
    unsigned setting_count;
    bool quirks; /* also cases that need a defect of the hardware */
    bool no_skip, reverse_units; /* of the engine: no result changes */
};

/* Each runs one case: true if it is equal. An error of the case or of the chip
 * is a difference as well. */
bool replay_chip(const cJSON *object, char *events,
                 const struct replay_options *options);
bool replay_core(const cJSON *object, const struct replay_options *options);
bool replay_ray(char **cells, unsigned count);

#endif
