/* D: double precision, conversions between the formats, NaN boxing. */
#include "float.h"

#define ZERO 0
#define NZERO 0x8000000000000000
#define HALF 0x3fe0000000000000
#define NHALF 0xbfe0000000000000
#define ONE 0x3ff0000000000000
#define NONE 0xbff0000000000000
#define TWO 0x4000000000000000
#define NTWO 0xc000000000000000
#define THREE 0x4008000000000000
#define INF 0x7ff0000000000000
#define NINF 0xfff0000000000000
#define QNAN 0x7ff8000000000000
#define OTHER 0xfff8000000012345
#define SNAN 0x7ff0000000000001
#define MOST 0x7fefffffffffffff
#define NMOST 0xffefffffffffffff
#define LEAST 1                      /* 2^-1074 */
#define NLEAST 0x8000000000000001
#define NORMAL 0x0010000000000000    /* 2^-1022 */
#define SUBNORMAL 0x000fffffffffffff
#define TIE 0x3ca0000000000000       /* 2^-53 */
#define NTIE 0xbca0000000000000

PROGRAM_BEGIN
    la gp, spare

    D2(fadd.d, rne, ONE, NX, ONE, TIE)
    D2(fadd.d, rtz, ONE, NX, ONE, TIE)
    D2(fadd.d, rdn, ONE, NX, ONE, TIE)
    D2(fadd.d, rup, ONE+1, NX, ONE, TIE)
    D2(fadd.d, rmm, ONE+1, NX, ONE, TIE)
    D2(fadd.d, rne, ONE+2, NX, ONE+1, TIE)
    D2(fadd.d, rdn, NONE+1, NX, NONE, NTIE)
    D2(fadd.d, rup, NONE, NX, NONE, NTIE)
    D2(fadd.d, rmm, NONE+1, NX, NONE, NTIE)
    D2(fadd.d, rne, THREE, 0, ONE, TWO)
    D2(fadd.d, rne, QNAN, NV, INF, NINF)
    D2(fadd.d, rne, QNAN, 0, OTHER, ONE)
    D2(fadd.d, rne, QNAN, NV, ONE, SNAN)
    D2(fadd.d, rne, INF, OF|NX, MOST, MOST)
    D2(fadd.d, rdn, MOST, OF|NX, MOST, MOST)
    D2(fadd.d, rne, NORMAL, 0, SUBNORMAL, LEAST)

    D2(fsub.d, rne, ZERO, 0, ONE, ONE)
    D2(fsub.d, rdn, NZERO, 0, ONE, ONE)
    D2(fsub.d, rne, ONE, NX, ONE, 0x3c90000000000000)
    D2(fsub.d, rtz, ONE-1, NX, ONE, 0x3c90000000000000)
    D2(fsub.d, rdn, ONE-1, NX, ONE, 0x3c90000000000000)
    D2(fsub.d, rup, ONE, NX, ONE, 0x3c90000000000000)
    D2(fsub.d, rne, QNAN, NV, NINF, NINF)

    D2(fmul.d, rne, INF, OF|NX, MOST, TWO)
    D2(fmul.d, rtz, MOST, OF|NX, MOST, TWO)
    D2(fmul.d, rdn, NINF, OF|NX, NMOST, TWO)
    D2(fmul.d, rup, NMOST, OF|NX, NMOST, TWO)
    D2(fmul.d, rmm, NINF, OF|NX, NMOST, TWO)
    D2(fmul.d, rne, ZERO, UF|NX, LEAST, HALF)
    D2(fmul.d, rup, LEAST, UF|NX, LEAST, HALF)
    D2(fmul.d, rmm, LEAST, UF|NX, LEAST, HALF)
    D2(fmul.d, rdn, NLEAST, UF|NX, NLEAST, HALF)
    D2(fmul.d, rne, 0x0008000000000000, 0, NORMAL, HALF)
    D2(fmul.d, rne, NORMAL, UF|NX, NORMAL, ONE-1)
    D2(fmul.d, rne, QNAN, NV, INF, NZERO)

    D2(fdiv.d, rne, 0x3fd5555555555555, NX, ONE, THREE)
    D2(fdiv.d, rup, 0x3fd5555555555556, NX, ONE, THREE)
    D2(fdiv.d, rmm, 0x3fd5555555555555, NX, ONE, THREE)
    D2(fdiv.d, rdn, 0xbfd5555555555556, NX, NONE, THREE)
    D2(fdiv.d, rtz, 0xbfd5555555555555, NX, NONE, THREE)
    D2(fdiv.d, rne, NINF, DZ, NONE, ZERO)
    D2(fdiv.d, rne, QNAN, NV, ZERO, NZERO)
    D2(fdiv.d, rne, NZERO, 0, NTWO, INF)
    D2(fdiv.d, rne, ZERO, UF|NX, LEAST, MOST)

    D1(fsqrt.d, rne, 0x3ff6a09e667f3bcd, NX, TWO)
    D1(fsqrt.d, rtz, 0x3ff6a09e667f3bcc, NX, TWO)
    D1(fsqrt.d, rdn, 0x3ff6a09e667f3bcc, NX, TWO)
    D1(fsqrt.d, rup, 0x3ff6a09e667f3bcd, NX, TWO)
    D1(fsqrt.d, rmm, 0x3ff6a09e667f3bcd, NX, TWO)
    D1(fsqrt.d, rne, 0x1e60000000000000, 0, LEAST)
    D1(fsqrt.d, rne, QNAN, NV, NLEAST)
    D1(fsqrt.d, rne, NZERO, 0, NZERO)

    /* (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54 */
    D3(fmadd.d, rne, 0x3e50000001000000, 0, 0x3ff0000002000000, 0x3ff0000002000000, NONE)
    D3(fmsub.d, rne, 0x3e50000001000000, 0, 0x3ff0000002000000, 0x3ff0000002000000, ONE)
    D3(fnmadd.d, rne, 0xbe50000001000000, 0, 0x3ff0000002000000, 0x3ff0000002000000, NONE)
    D3(fnmsub.d, rne, 0xbe50000001000000, 0, 0x3ff0000002000000, 0x3ff0000002000000, ONE)
    D3(fmadd.d, rne, 0x401c000000000000, 0, TWO, THREE, ONE)
    D3(fmsub.d, rne, 0x4014000000000000, 0, TWO, THREE, ONE)
    D3(fnmadd.d, rne, 0xc01c000000000000, 0, TWO, THREE, ONE)
    D3(fnmsub.d, rne, 0xc014000000000000, 0, TWO, THREE, ONE)
    D3(fmadd.d, rdn, NZERO, 0, ONE, ONE, NONE)
    D3(fmadd.d, rne, QNAN, NV, INF, ZERO, OTHER)
    D3(fnmsub.d, rne, QNAN, NV, INF, ONE, INF)
    D3(fmadd.d, rne, QNAN, NV, ONE, ONE, SNAN)
    D3(fmsub.d, rne, MOST, 0, MOST, TWO, MOST)
    D3(fmadd.d, rup, INF, OF|NX, MOST, ONE, LEAST)

    D2N(fsgnj.d, NONE, 0, ONE, NZERO)
    D2N(fsgnj.d, 0x7ff8000000012345, 0, OTHER, ONE)
    D2N(fsgnjn.d, NONE, 0, ONE, TWO)
    D2N(fsgnjn.d, SNAN, 0, SNAN, NZERO)
    D2N(fsgnjx.d, ONE, 0, NONE, NTWO)
    D2N(fsgnjx.d, 0xfff0000000000001, 0, SNAN, NONE)
    D2N(fmin.d, NTWO, 0, ONE, NTWO)
    D2N(fmin.d, NZERO, 0, ZERO, NZERO)
    D2N(fmin.d, ONE, NV, SNAN, ONE)
    D2N(fmin.d, ONE, 0, ONE, OTHER)
    D2N(fmin.d, QNAN, 0, OTHER, OTHER)
    D2N(fmax.d, ONE, 0, ONE, NTWO)
    D2N(fmax.d, ZERO, 0, NZERO, ZERO)
    D2N(fmax.d, ONE, NV, ONE, SNAN)
    D2N(fmax.d, QNAN, NV, SNAN, OTHER)

    D2IN(feq.d, 1, 0, ZERO, NZERO)
    D2IN(feq.d, 0, 0, ONE, OTHER)
    D2IN(feq.d, 0, NV, ONE, SNAN)
    D2IN(flt.d, 1, 0, NTWO, NONE)
    D2IN(flt.d, 0, 0, NZERO, ZERO)
    D2IN(flt.d, 0, NV, ONE, OTHER)
    D2IN(flt.d, 1, 0, ONE, ONE+1)
    D2IN(fle.d, 1, 0, ONE, ONE)
    D2IN(fle.d, 0, 0, TWO, ONE)
    D2IN(fle.d, 0, NV, OTHER, ONE)

    D1IN(fclass.d, 1 << 0, 0, NINF)
    D1IN(fclass.d, 1 << 1, 0, NMOST)
    D1IN(fclass.d, 1 << 2, 0, NLEAST)
    D1IN(fclass.d, 1 << 3, 0, NZERO)
    D1IN(fclass.d, 1 << 4, 0, ZERO)
    D1IN(fclass.d, 1 << 5, 0, SUBNORMAL)
    D1IN(fclass.d, 1 << 6, 0, NORMAL)
    D1IN(fclass.d, 1 << 7, 0, INF)
    D1IN(fclass.d, 1 << 8, 0, SNAN)
    D1IN(fclass.d, 1 << 9, 0, OTHER)

    /* to integers */
    D1I(fcvt.w.d, rne, 0, NX, HALF)
    D1I(fcvt.w.d, rup, 1, NX, HALF)
    D1I(fcvt.w.d, rmm, 1, NX, HALF)
    D1I(fcvt.w.d, rdn, -1, NX, NHALF)
    D1I(fcvt.w.d, rne, 0x7fffffff, 0, 0x41dfffffffc00000)
    D1I(fcvt.w.d, rne, 0x7fffffff, NV, 0x41dfffffffe00000)
    D1I(fcvt.w.d, rtz, 0x7fffffff, NX, 0x41dfffffffe00000)
    D1I(fcvt.w.d, rup, 0x7fffffff, NV, 0x41dfffffffc00001)
    D1I(fcvt.w.d, rne, WORD(0x80000000), 0, 0xc1e0000000000000)
    D1I(fcvt.w.d, rtz, WORD(0x80000000), NX, 0xc1e00000001fffff)
    D1I(fcvt.w.d, rdn, WORD(0x80000000), NV, 0xc1e0000000000001)
    D1I(fcvt.w.d, rne, 0x7fffffff, NV, OTHER)
    D1I(fcvt.w.d, rne, WORD(0x80000000), NV, NINF)
    D1I(fcvt.wu.d, rne, -1, 0, 0x41efffffffe00000)
    D1I(fcvt.wu.d, rne, -1, NV, 0x41f0000000000000)
    D1I(fcvt.wu.d, rtz, 0, NX, 0xbfefffffffffffff)
    D1I(fcvt.wu.d, rne, 0, NV, NONE)
    D1I(fcvt.wu.d, rne, WORD(0x80000000), 0, 0x41e0000000000000)
    D1I(fcvt.wu.d, rne, -1, NV, SNAN)
#if __riscv_xlen == 64
    D1I(fcvt.l.d, rne, 0x7ffffffffffffc00, 0, 0x43dfffffffffffff)
    D1I(fcvt.l.d, rne, HIGHEST, NV, 0x43e0000000000000)
    D1I(fcvt.l.d, rne, LOWEST, 0, 0xc3e0000000000000)
    D1I(fcvt.l.d, rne, LOWEST, NV, 0xc3e0000000000001)
    D1I(fcvt.l.d, rdn, -1, NX, NLEAST)
    D1I(fcvt.lu.d, rne, 0xfffffffffffff800, 0, 0x43efffffffffffff)
    D1I(fcvt.lu.d, rne, -1, NV, 0x43f0000000000000)
    D1I(fcvt.lu.d, rmm, 0, NV, NHALF)
    D1I(fcvt.lu.d, rne, -1, NV, QNAN)
#endif

    /* from integers; 32 bits always fit */
    D_FROM_N(fcvt.d.w, NONE, -1)
    D_FROM_N(fcvt.d.w, 0xc1e0000000000000, WORD(0x80000000))
    D_FROM_N(fcvt.d.w, 0x41dfffffffc00000, 0x7fffffff)
    D_FROM_N(fcvt.d.wu, 0x41efffffffe00000, -1)
    D_FROM_N(fcvt.d.wu, ZERO, 0)
#if __riscv_xlen == 64
    D_FROM_N(fcvt.d.w, ONE, 0xf00000001)
    D_FROM_N(fcvt.d.wu, ONE, 0xf00000001)
    D_FROM(fcvt.d.l, rne, 0x43e0000000000000, NX, HIGHEST)
    D_FROM(fcvt.d.l, rtz, 0x43dfffffffffffff, NX, HIGHEST)
    D_FROM(fcvt.d.l, rne, 0xc3e0000000000000, 0, LOWEST)
    D_FROM(fcvt.d.l, rne, 0x4340000000000000, NX, 0x20000000000001)
    D_FROM(fcvt.d.l, rmm, 0x4340000000000001, NX, 0x20000000000001)
    D_FROM(fcvt.d.lu, rne, 0x43f0000000000000, NX, -1)
    D_FROM(fcvt.d.lu, rdn, 0x43efffffffffffff, NX, -1)
    D1IN(fmv.x.d, OTHER, 0, OTHER)
    li a0, SNAN
    fmv.d.x fa0, a0
    D1IN(fmv.x.d, SNAN, 0, SNAN)
#endif

    /* to single: 1 + 2^-24, overflow, underflow, NaNs */
#define TO_SINGLE(mode, result, flags, x)                               \
    LOAD_D(fa0, x)                                                      ;\
    BOTH_MODES(mode, IS_S(fa2, result), flags, fcvt.s.d fa2, fa0)
    TO_SINGLE(rne, 0x3f800000, NX, 0x3ff0000010000000)
    TO_SINGLE(rtz, 0x3f800000, NX, 0x3ff0000010000000)
    TO_SINGLE(rdn, 0x3f800000, NX, 0x3ff0000010000000)
    TO_SINGLE(rup, 0x3f800001, NX, 0x3ff0000010000000)
    TO_SINGLE(rmm, 0x3f800001, NX, 0x3ff0000010000000)
    TO_SINGLE(rne, 0x7f800000, OF|NX, MOST)
    TO_SINGLE(rtz, 0x7f7fffff, OF|NX, MOST)
    TO_SINGLE(rne, 0x7f800000, 0, INF)
    TO_SINGLE(rne, 0, UF|NX, 0x3690000000000000)
    TO_SINGLE(rup, 1, UF|NX, 0x3690000000000000)
    TO_SINGLE(rne, 1, 0, 0x36a0000000000000)
    TO_SINGLE(rne, 0x00800000, NX, 0x380fffffff800000)
    TO_SINGLE(rne, 0x00800000, UF|NX, 0x380fffffe0000000)
    TO_SINGLE(rne, 0x7fc00000, 0, OTHER)
    TO_SINGLE(rne, 0x7fc00000, NV, SNAN)
    TO_SINGLE(rne, 0x80000000, 0, NZERO)
#define TO_DOUBLE(result, flags, x)                                     \
    LOAD_S(fa0, x)                                                      ;\
    fcvt.d.s fa2, fa0                                                   ;\
    IS_D(fa2, result)                                                   ;\
    FLAGS(flags)
    TO_DOUBLE(ONE, 0, 0x3f800000)
    TO_DOUBLE(0x36a0000000000000, 0, 1)
    TO_DOUBLE(NZERO, 0, 0x80000000)
    TO_DOUBLE(NINF, 0, 0xff800000)
    TO_DOUBLE(QNAN, 0, 0xffc12345)
    TO_DOUBLE(QNAN, NV, 0x7f800001)

    /* results in single precision are boxed */
    LOAD_S(fa0, 0x3f800000)
    IS_D(fa0, 0xffffffff3f800000)
    fadd.s fa2, fa0, fa0, rne
    IS_D(fa2, 0xffffffff40000000)
    fcvt.s.w fa2, zero, rne
    IS_D(fa2, 0xffffffff00000000)
    fsgnjn.s fa2, fa0, fa0
    IS_D(fa2, 0xffffffffbf800000)

    /* one that is not boxed counts as the canonical quiet NaN */
    LOAD_D(fa1, 0xfffffffe3f800000)
    fadd.s fa2, fa0, fa1, rne
    IS_D(fa2, 0xffffffff7fc00000)
    FLAGS(0)
    fmadd.s fa2, fa0, fa0, fa1, rne
    IS_S(fa2, 0x7fc00000)
    fsgnj.s fa2, fa1, fa1
    IS_S(fa2, 0x7fc00000)
    fsgnj.s fa2, fa0, fa1
    IS_S(fa2, 0x3f800000)
    LOAD_D(fa3, 0x00000000bf800000)
    fsgnj.s fa2, fa0, fa3
    IS_S(fa2, 0x3f800000)
    fmin.s fa2, fa0, fa1
    IS_S(fa2, 0x3f800000)
    feq.s a2, fa0, fa1
    CHECK(a2, 0)
    FLAGS(0)
    fle.s a2, fa1, fa0
    CHECK(a2, 0)
    FLAGS(NV)
    fclass.s a2, fa1
    CHECK(a2, 1 << 9)
    fcvt.w.s a2, fa1, rne
    CHECK(a2, 0x7fffffff)
    FLAGS(NV)
    fcvt.d.s fa2, fa1
    IS_D(fa2, QNAN)
    fsqrt.s fa2, fa1, rne
    IS_S(fa2, 0x7fc00000)
    FLAGS(0)
    /* but moves and stores take it as it is */
    fmv.x.w a2, fa1
    CHECK(a2, 0x3f800000)
    fsw fa1, 0(gp)
    lw a2, 0(gp)
    CHECK(a2, 0x3f800000)
    fsd fa1, 0(gp)
    lw a2, 4(gp)
    CHECK(a2, -2)
PROGRAM_END
DATA_BEGIN
spare:
    .dword 0
DATA_END
