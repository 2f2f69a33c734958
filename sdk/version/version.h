/*
 * The version of Corbel, and the revision that its tools were built from: what
 * --version prints and manifest.json has.
 */
#ifndef SDK_VERSION_H
#define SDK_VERSION_H

#define CORBEL_VERSION "0.1.0"

/* As `git describe` names it, with -dirty after changes; "unknown" if the tools
 * were built outside of a git checkout. */
extern const char corbel_revision[];

/* "TOOL (Corbel) VERSION, revision REVISION" to the standard output. */
void version_print(const char *tool);

#endif
