/*
 * What the files of packets share (commands.c).
 */
#ifndef SIM_HOST_GDB_COMMANDS_PRIVATE_H
#define SIM_HOST_GDB_COMMANDS_PRIVATE_H

#include "sim/host/gdb/gdb.h"

enum command_end command_ok(struct gdb *g);
enum command_end command_wrong(struct gdb *g);
/* A number of the packet, and what stands behind it, which goes. */
bool command_number(const char **at, char behind, unsigned long long *value);

/* ---- commands_state.c: registers, memory, breakpoints; at: what stands behind
 * the packet's name
 * ---- */

enum command_end command_read_all(struct gdb *g, const char *at);
enum command_end command_read_one(struct gdb *g, const char *at);
enum command_end command_write_one(struct gdb *g, const char *at);
enum command_end command_write_all(struct gdb *g, const char *at);
enum command_end command_read_memory(struct gdb *g, const char *at);
enum command_end command_write_memory(struct gdb *g, const char *at);
enum command_end command_write_bytes(struct gdb *g, const char *at);
enum command_end command_set_break(struct gdb *g, const char *at);
enum command_end command_drop_break(struct gdb *g, const char *at);

#endif
