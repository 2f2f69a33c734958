/* The rows of both tables, behind their labels; the loop has defined RV_AMO and
 * RV_CBO. See threaded.h. */
#define RV(id, name, match, mask, operands, cls, ext, ...)                     \
    BODY(id, operands, HAS_##ext, __VA_ARGS__)
#define RV_LOAD(id, name, match, mask, operands, ext, type)                    \
    BODY(id, operands, HAS_##ext, LOAD_BODY(type, RD((int64_t)value)))
#define RV_FLOAD(id, name, match, mask, operands, ext, type)                   \
    BODY(                                                                      \
        id, operands, HAS_##ext,                                               \
        LOAD_BODY(type, FD(sizeof value == 4 ? box((uint32_t)value) : value)))
#define RV_STORE(id, name, match, mask, operands, ext, type)                   \
    BODY(id, operands, HAS_##ext, STORE_BODY(type, X2))
#define RV_FSTORE(id, name, match, mask, operands, ext, type)                  \
    BODY(id, operands, HAS_##ext, STORE_BODY(type, F2))
#include "sim/isa/rv.def"
#define XTRAV(id, name, match, mask, operands, shape, meaning)                 \
    BODY(custom_##id, operands, HAS_##shape, CUSTOM_##shape(id))
#include "sdk/isa/xtrav.def"
#undef XTRAV
