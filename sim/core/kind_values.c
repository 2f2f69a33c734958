/* Numbers the values of a kind: counters, then buckets, range by range. */
#include "sim/core/kind_values.h"

bool kind_values_next(struct kind_values *v)
{
    const struct unit_kind *kind = v->kind;
    v->at = v->row ? v->at + 1 : 0;
    if (v->row && ++v->range < stat_values(v->row))
        return true;
    if (v->next == kind->stat_count + kind->bucket_count)
        return false;
    v->bucket = v->next >= kind->stat_count;
    v->row = v->bucket ? &kind->bucket_rows[v->next - kind->stat_count]
                       : &kind->stat_rows[v->next];
    v->range = 0;
    v->next++;
    return true;
}

unsigned kind_value_count(const struct unit_kind *kind)
{
    unsigned count = kind->bucket_count;
    for (unsigned i = 0; i < kind->stat_count; i++)
        count += stat_values(&kind->stat_rows[i]);
    return count;
}

const struct stat_row *kind_value_row(const struct unit_kind *kind,
                                      unsigned index)
{
    struct kind_values v = KIND_VALUES(kind);
    while (kind_values_next(&v) && v.at < index)
        ;
    return v.row;
}

unsigned kind_value_of(const struct unit_kind *kind, uint32_t counter)
{
    struct kind_values v = KIND_VALUES(kind);
    while (kind_values_next(&v))
        if (!v.range && v.row->offset + 1 == counter)
            return v.at;
    return v.at;
}
