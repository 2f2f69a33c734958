/* Messages of the samples, the same natively and on the target. */
#ifndef SAMPLES_SAY_H
#define SAMPLES_SAY_H

#ifdef __cplusplus
extern "C" {
#endif

/* "PROGRAM: " and the message on stderr, one line, whatever bytes the arguments
 * and names in it have (corbel/line.h). */
void say(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
