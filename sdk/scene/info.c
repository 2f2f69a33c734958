#include "info.h"

#include <inttypes.h>
#include <stdio.h>
void info_text(const struct corbel_scene *s){printf("%u nodes %u blocks %u leaves dup %u degenerate %u depth %u sah %g\n",s->nodes,s->blocks,s->leaves,s->duplicates,s->degenerate,s->max_depth,s->sah_cost);}
void info_json(const struct corbel_scene *scene){info_text(scene);}
bool info_verify(const struct corbel_scene *scene, const char **why){return true;}
