/*
 * JSON within a script element of a page: <, > and & can stand in strings only
 * and are written as \u003c and so on, as are U+2028 and U+2029, so no text can
 * end the element.
 */
#ifndef SIM_REPORT_PAGE_JSON_H
#define SIM_REPORT_PAGE_JSON_H

#include <stdio.h>

/* A string. */
void json_put_text(FILE *out, const char *text);
/* A file of good JSON as it is, so that no digit is lost, without its blanks;
 * NULL: null. */
void json_put_file(FILE *out, const char *text);

#endif
