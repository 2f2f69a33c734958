/* F: single precision. */
#include "float.h"

#define ZERO 0
#define NZERO 0x80000000
#define ONE 0x3f800000
#define NONE 0xbf800000
#define TWO 0x40000000
#define NTWO 0xc0000000
#define THREE 0x40400000
#define INF 0x7f800000
#define NINF 0xff800000
#define QNAN 0x7fc00000  /* the canonical one */
#define OTHER 0xffc12345 /* a quiet one with a payload */
#define SNAN 0x7f800001
#define MOST 0x7f7fffff
#define NMOST 0xff7fffff
#define LEAST 1              /* 2^-149 */
#define NLEAST 0x80000001
#define NORMAL 0x00800000    /* 2^-126, the least normal */
#define NNORMAL 0x80800000
#define SUBNORMAL 0x007fffff /* the greatest subnormal */

PROGRAM_BEGIN
    la gp, spare

    /* 1 + 2^-24 is half way between neighbours */
    S2(fadd.s, rne, ONE, NX, ONE, 0x33800000)
    S2(fadd.s, rtz, ONE, NX, ONE, 0x33800000)
    S2(fadd.s, rdn, ONE, NX, ONE, 0x33800000)
    S2(fadd.s, rup, ONE+1, NX, ONE, 0x33800000)
    S2(fadd.s, rmm, ONE+1, NX, ONE, 0x33800000)
    S2(fadd.s, rne, NONE, NX, NONE, 0xb3800000)
    S2(fadd.s, rtz, NONE, NX, NONE, 0xb3800000)
    S2(fadd.s, rdn, NONE+1, NX, NONE, 0xb3800000)
    S2(fadd.s, rup, NONE, NX, NONE, 0xb3800000)
    S2(fadd.s, rmm, NONE+1, NX, NONE, 0xb3800000)
    S2(fadd.s, rne, ONE+2, NX, ONE+1, 0x33800000)
    S2(fadd.s, rne, THREE, 0, ONE, TWO)
    S2(fadd.s, rne, INF, 0, INF, MOST)
    S2(fadd.s, rne, QNAN, NV, INF, NINF)
    S2(fadd.s, rne, QNAN, 0, OTHER, ONE)
    S2(fadd.s, rne, QNAN, NV, SNAN, OTHER)
    S2(fadd.s, rne, NORMAL, 0, SUBNORMAL, LEAST)
    S2(fadd.s, rne, INF, OF|NX, MOST, MOST)
    S2(fadd.s, rtz, MOST, OF|NX, MOST, MOST)

    /* below 1 numbers are twice as dense; the sign of an exact zero */
    S2(fsub.s, rne, ONE, NX, ONE, 0x33000000)
    S2(fsub.s, rtz, ONE-1, NX, ONE, 0x33000000)
    S2(fsub.s, rdn, ONE-1, NX, ONE, 0x33000000)
    S2(fsub.s, rup, ONE, NX, ONE, 0x33000000)
    S2(fsub.s, rmm, ONE, NX, ONE, 0x33000000)
    S2(fsub.s, rne, ZERO, 0, ONE, ONE)
    S2(fsub.s, rtz, ZERO, 0, ONE, ONE)
    S2(fsub.s, rdn, NZERO, 0, ONE, ONE)
    S2(fsub.s, rup, ZERO, 0, ONE, ONE)
    S2(fsub.s, rmm, ZERO, 0, ONE, ONE)
    S2(fsub.s, rne, NZERO, 0, NZERO, ZERO)
    S2(fsub.s, rne, QNAN, NV, INF, INF)
    S2(fsub.s, rne, QNAN, NV, ONE, SNAN)
    S2(fsub.s, rne, SUBNORMAL, 0, NORMAL, LEAST)

    /* overflow and underflow, each way out */
    S2(fmul.s, rne, INF, OF|NX, MOST, TWO)
    S2(fmul.s, rtz, MOST, OF|NX, MOST, TWO)
    S2(fmul.s, rdn, MOST, OF|NX, MOST, TWO)
    S2(fmul.s, rup, INF, OF|NX, MOST, TWO)
    S2(fmul.s, rmm, INF, OF|NX, MOST, TWO)
    S2(fmul.s, rne, NINF, OF|NX, NMOST, TWO)
    S2(fmul.s, rtz, NMOST, OF|NX, NMOST, TWO)
    S2(fmul.s, rdn, NINF, OF|NX, NMOST, TWO)
    S2(fmul.s, rup, NMOST, OF|NX, NMOST, TWO)
    S2(fmul.s, rmm, NINF, OF|NX, NMOST, TWO)
    S2(fmul.s, rne, ZERO, UF|NX, LEAST, 0x3f000000)
    S2(fmul.s, rtz, ZERO, UF|NX, LEAST, 0x3f000000)
    S2(fmul.s, rdn, ZERO, UF|NX, LEAST, 0x3f000000)
    S2(fmul.s, rup, LEAST, UF|NX, LEAST, 0x3f000000)
    S2(fmul.s, rmm, LEAST, UF|NX, LEAST, 0x3f000000)
    S2(fmul.s, rdn, NLEAST, UF|NX, NLEAST, 0x3f000000)
    S2(fmul.s, rup, NZERO, UF|NX, NLEAST, 0x3f000000)
    S2(fmul.s, rne, 0x00400000, 0, NORMAL, 0x3f000000)
    S2(fmul.s, rne, NORMAL, UF|NX, NORMAL, ONE-1)
    S2(fmul.s, rtz, SUBNORMAL, UF|NX, NORMAL, ONE-1)
    S2(fmul.s, rne, NZERO, 0, NONE, ZERO)
    S2(fmul.s, rne, QNAN, NV, ZERO, INF)
    S2(fmul.s, rne, QNAN, 0, OTHER, INF)
    S2(fmul.s, rne, NINF, 0, NONE, INF)

    S2(fdiv.s, rne, 0x3eaaaaab, NX, ONE, THREE)
    S2(fdiv.s, rtz, 0x3eaaaaaa, NX, ONE, THREE)
    S2(fdiv.s, rdn, 0x3eaaaaaa, NX, ONE, THREE)
    S2(fdiv.s, rup, 0x3eaaaaab, NX, ONE, THREE)
    S2(fdiv.s, rmm, 0x3eaaaaab, NX, ONE, THREE)
    S2(fdiv.s, rdn, 0xbeaaaaab, NX, NONE, THREE)
    S2(fdiv.s, rup, 0xbeaaaaaa, NX, NONE, THREE)
    S2(fdiv.s, rne, 0x3fc00000, 0, THREE, TWO)
    S2(fdiv.s, rne, INF, DZ, ONE, ZERO)
    S2(fdiv.s, rne, NINF, DZ, ONE, NZERO)
    S2(fdiv.s, rne, QNAN, NV, ZERO, ZERO)
    S2(fdiv.s, rne, QNAN, NV, INF, NINF)
    S2(fdiv.s, rne, INF, 0, INF, ZERO)
    S2(fdiv.s, rne, NZERO, 0, NONE, INF)
    S2(fdiv.s, rne, QNAN, NV, SNAN, ZERO)
    S2(fdiv.s, rne, QNAN, 0, ONE, OTHER)
    S2(fdiv.s, rne, INF, OF|NX, MOST, LEAST)
    S2(fdiv.s, rne, ZERO, UF|NX, LEAST, MOST)
    S2(fdiv.s, rne, ONE, 0, LEAST, LEAST)

    S1(fsqrt.s, rne, 0x3fb504f3, NX, TWO)
    S1(fsqrt.s, rtz, 0x3fb504f3, NX, TWO)
    S1(fsqrt.s, rdn, 0x3fb504f3, NX, TWO)
    S1(fsqrt.s, rup, 0x3fb504f4, NX, TWO)
    S1(fsqrt.s, rmm, 0x3fb504f3, NX, TWO)
    S1(fsqrt.s, rne, TWO, 0, 0x40800000)
    S1(fsqrt.s, rne, 0x1a3504f3, NX, LEAST)
    S1(fsqrt.s, rne, QNAN, NV, NONE)
    S1(fsqrt.s, rne, QNAN, NV, NINF)
    S1(fsqrt.s, rne, NZERO, 0, NZERO)
    S1(fsqrt.s, rne, INF, 0, INF)
    S1(fsqrt.s, rne, QNAN, 0, OTHER)
    S1(fsqrt.s, rne, QNAN, NV, SNAN)

    /* (1 + 2^-12)^2 needs more bits than a single has */
    S3(fmadd.s, rne, 0x3a000400, 0, 0x3f800800, 0x3f800800, NONE)
    S3(fmsub.s, rne, 0x3a000400, 0, 0x3f800800, 0x3f800800, ONE)
    S3(fnmadd.s, rne, 0xba000400, 0, 0x3f800800, 0x3f800800, NONE)
    S3(fnmsub.s, rne, 0xba000400, 0, 0x3f800800, 0x3f800800, ONE)
    S3(fmadd.s, rne, 0x40e00000, 0, TWO, THREE, ONE)
    S3(fmsub.s, rne, 0x40a00000, 0, TWO, THREE, ONE)
    S3(fnmadd.s, rne, 0xc0e00000, 0, TWO, THREE, ONE)
    S3(fnmsub.s, rne, 0xc0a00000, 0, TWO, THREE, ONE)
    S3(fmadd.s, rne, ZERO, 0, ONE, ONE, NONE)
    S3(fmadd.s, rdn, NZERO, 0, ONE, ONE, NONE)
    S3(fmadd.s, rne, ZERO, 0, ZERO, ONE, NZERO)
    S3(fmadd.s, rdn, NZERO, 0, ZERO, ONE, NZERO)
    S3(fnmadd.s, rup, NZERO, 0, ZERO, ONE, ZERO)
    S3(fmsub.s, rne, NZERO, 0, ZERO, NONE, ZERO)
    S3(fmadd.s, rne, QNAN, NV, INF, ZERO, ONE)
    S3(fmadd.s, rne, QNAN, NV, ZERO, INF, OTHER)
    S3(fmadd.s, rne, QNAN, NV, INF, ONE, NINF)
    S3(fmsub.s, rne, QNAN, NV, INF, ONE, INF)
    S3(fnmsub.s, rne, QNAN, NV, INF, ONE, INF)
    S3(fnmadd.s, rne, QNAN, NV, INF, ONE, NINF)
    S3(fmadd.s, rne, QNAN, 0, OTHER, ONE, ONE)
    S3(fmadd.s, rne, QNAN, NV, ONE, ONE, SNAN)
    S3(fmadd.s, rne, INF, 0, MOST, MOST, INF)
    S3(fmadd.s, rne, MOST, NX, MOST, ONE, ONE)
    S3(fmadd.s, rup, INF, OF|NX, MOST, ONE, ONE)
    S3(fmadd.s, rtz, MOST, NX, MOST, ONE, ONE)
    S3(fmsub.s, rne, MOST, 0, MOST, TWO, MOST)
    /* tiny is judged after rounding: 2^-126 - 2^-152 */
    S3(fnmsub.s, rne, NORMAL, NX, 0x19800000, 0x19800000, NORMAL)
    S3(fnmsub.s, rtz, SUBNORMAL, UF|NX, 0x19800000, 0x19800000, NORMAL)
    S3(fmadd.s, rdn, NNORMAL+1, NX, 0x99800000, 0x19800000, NNORMAL)

    S2N(fsgnj.s, NONE, 0, ONE, NZERO)
    S2N(fsgnj.s, 0x7fc12345, 0, OTHER, ZERO)
    S2N(fsgnj.s, 0xff800001, 0, SNAN, NONE)
    S2N(fsgnjn.s, NONE, 0, ONE, TWO)
    S2N(fsgnjn.s, SNAN, 0, SNAN, NZERO)
    S2N(fsgnjx.s, ONE, 0, NONE, NTWO)
    S2N(fsgnjx.s, NONE, 0, NONE, TWO)
    S2N(fsgnjx.s, 0xff800001, 0, SNAN, NZERO)

    S2N(fmin.s, ONE, 0, ONE, TWO)
    S2N(fmin.s, NTWO, 0, ONE, NTWO)
    S2N(fmin.s, NZERO, 0, ZERO, NZERO)
    S2N(fmin.s, NZERO, 0, NZERO, ZERO)
    S2N(fmin.s, ONE, 0, ONE, OTHER)
    S2N(fmin.s, ONE, NV, SNAN, ONE)
    S2N(fmin.s, QNAN, 0, OTHER, OTHER)
    S2N(fmin.s, QNAN, NV, OTHER, SNAN)
    S2N(fmin.s, NINF, 0, NINF, NMOST)
    S2N(fmax.s, TWO, 0, ONE, TWO)
    S2N(fmax.s, ONE, 0, ONE, NTWO)
    S2N(fmax.s, ZERO, 0, ZERO, NZERO)
    S2N(fmax.s, ZERO, 0, NZERO, ZERO)
    S2N(fmax.s, ONE, 0, OTHER, ONE)
    S2N(fmax.s, ONE, NV, ONE, SNAN)
    S2N(fmax.s, QNAN, 0, OTHER, QNAN)
    S2N(fmax.s, LEAST, 0, LEAST, ZERO)

    S2IN(feq.s, 1, 0, ZERO, NZERO)
    S2IN(feq.s, 0, 0, ONE, TWO)
    S2IN(feq.s, 0, 0, OTHER, OTHER)
    S2IN(feq.s, 0, NV, ONE, SNAN)
    S2IN(feq.s, 1, 0, INF, INF)
    S2IN(flt.s, 1, 0, ONE, TWO)
    S2IN(flt.s, 0, 0, ONE, ONE)
    S2IN(flt.s, 1, 0, NTWO, NONE)
    S2IN(flt.s, 0, 0, NZERO, ZERO)
    S2IN(flt.s, 0, NV, ONE, OTHER)
    S2IN(flt.s, 0, NV, SNAN, ONE)
    S2IN(flt.s, 1, 0, NLEAST, LEAST)
    S2IN(fle.s, 1, 0, ONE, ONE)
    S2IN(fle.s, 1, 0, ZERO, NZERO)
    S2IN(fle.s, 0, 0, TWO, ONE)
    S2IN(fle.s, 0, NV, OTHER, ONE)
    S2IN(fle.s, 1, 0, NINF, INF)

    S1IN(fclass.s, 1 << 0, 0, NINF)
    S1IN(fclass.s, 1 << 1, 0, NMOST)
    S1IN(fclass.s, 1 << 1, 0, NNORMAL)
    S1IN(fclass.s, 1 << 2, 0, NLEAST)
    S1IN(fclass.s, 1 << 3, 0, NZERO)
    S1IN(fclass.s, 1 << 4, 0, ZERO)
    S1IN(fclass.s, 1 << 5, 0, SUBNORMAL)
    S1IN(fclass.s, 1 << 6, 0, NORMAL)
    S1IN(fclass.s, 1 << 7, 0, INF)
    S1IN(fclass.s, 1 << 8, 0, SNAN)
    S1IN(fclass.s, 1 << 8, 0, 0xffbfffff)
    S1IN(fclass.s, 1 << 9, 0, OTHER)

    S1IN(fmv.x.w, WORD(0xffc12345), 0, OTHER)
    S1IN(fmv.x.w, 0x7f800001, 0, SNAN)

    /* to integers */
    S1I(fcvt.w.s, rne, 0, NX, 0x3f000000)
    S1I(fcvt.w.s, rtz, 0, NX, 0x3f000000)
    S1I(fcvt.w.s, rdn, 0, NX, 0x3f000000)
    S1I(fcvt.w.s, rup, 1, NX, 0x3f000000)
    S1I(fcvt.w.s, rmm, 1, NX, 0x3f000000)
    S1I(fcvt.w.s, rne, 0, NX, 0xbf000000)
    S1I(fcvt.w.s, rdn, -1, NX, 0xbf000000)
    S1I(fcvt.w.s, rup, 0, NX, 0xbf000000)
    S1I(fcvt.w.s, rmm, -1, NX, 0xbf000000)
    S1I(fcvt.w.s, rne, 2, NX, 0x3fc00000)
    S1I(fcvt.w.s, rne, 2, NX, 0x40200000)
    S1I(fcvt.w.s, rmm, 3, NX, 0x40200000)
    S1I(fcvt.w.s, rtz, 0x7fffff80, 0, 0x4effffff)
    S1I(fcvt.w.s, rne, 0x7fffffff, NV, 0x4f000000)
    S1I(fcvt.w.s, rne, WORD(0x80000000), 0, 0xcf000000)
    S1I(fcvt.w.s, rne, WORD(0x80000000), NV, 0xcf000001)
    S1I(fcvt.w.s, rne, 0x7fffffff, NV, INF)
    S1I(fcvt.w.s, rne, WORD(0x80000000), NV, NINF)
    S1I(fcvt.w.s, rne, 0x7fffffff, NV, OTHER)
    S1I(fcvt.w.s, rup, 1, NX, LEAST)
    S1I(fcvt.wu.s, rtz, 0, NX, 0xbf000000)
    S1I(fcvt.wu.s, rne, 0, NX, 0xbf000000)
    S1I(fcvt.wu.s, rdn, 0, NV, 0xbe800000)
    S1I(fcvt.wu.s, rmm, 0, NV, 0xbf000000)
    S1I(fcvt.wu.s, rne, 0, NV, NONE)
    S1I(fcvt.wu.s, rne, 0, 0, NZERO)
    S1I(fcvt.wu.s, rne, WORD(0xffffff00), 0, 0x4f7fffff)
    S1I(fcvt.wu.s, rne, -1, NV, 0x4f800000)
    S1I(fcvt.wu.s, rne, -1, NV, SNAN)
    S1I(fcvt.wu.s, rne, 0, NV, NINF)
#if __riscv_xlen == 64
    S1I(fcvt.l.s, rdn, -1, NX, 0xbf000000)
    S1I(fcvt.l.s, rne, 0x7fffff8000000000, 0, 0x5effffff)
    S1I(fcvt.l.s, rne, HIGHEST, NV, 0x5f000000)
    S1I(fcvt.l.s, rne, LOWEST, 0, 0xdf000000)
    S1I(fcvt.l.s, rne, LOWEST, NV, 0xdf000001)
    S1I(fcvt.l.s, rne, HIGHEST, NV, OTHER)
    S1I(fcvt.l.s, rne, 0x80000000, 0, 0x4f000000)
    S1I(fcvt.lu.s, rne, 0xffffff0000000000, 0, 0x5f7fffff)
    S1I(fcvt.lu.s, rne, -1, NV, 0x5f800000)
    S1I(fcvt.lu.s, rne, 0, NV, NONE)
    S1I(fcvt.lu.s, rtz, 0, NX, 0xbf7fffff)
    S1I(fcvt.lu.s, rne, -1, NV, QNAN)
#endif

    /* from integers */
    S_FROM(fcvt.s.w, rne, ZERO, 0, 0)
    S_FROM(fcvt.s.w, rne, NONE, 0, -1)
    S_FROM(fcvt.s.w, rne, 0xcf000000, 0, WORD(0x80000000))
    S_FROM(fcvt.s.w, rne, 0x4f000000, NX, 0x7fffffff)
    S_FROM(fcvt.s.w, rtz, 0x4effffff, NX, 0x7fffffff)
    S_FROM(fcvt.s.w, rdn, 0x4effffff, NX, 0x7fffffff)
    S_FROM(fcvt.s.w, rup, 0x4f000000, NX, 0x7fffffff)
    S_FROM(fcvt.s.w, rmm, 0x4f000000, NX, 0x7fffffff)
    S_FROM(fcvt.s.w, rne, 0x4b800000, NX, 0x1000001)
    S_FROM(fcvt.s.w, rmm, 0x4b800001, NX, 0x1000001)
    S_FROM(fcvt.s.w, rdn, 0xcb800001, NX, -0x1000001)
    S_FROM(fcvt.s.wu, rne, 0x4f800000, NX, -1)
    S_FROM(fcvt.s.wu, rtz, 0x4f7fffff, NX, -1)
    S_FROM(fcvt.s.wu, rne, 0x4f000000, 0, WORD(0x80000000))
#if __riscv_xlen == 64
    S_FROM(fcvt.s.w, rne, ONE, 0, 0xf00000001)
    S_FROM(fcvt.s.wu, rne, ONE, 0, 0xf00000001)
    S_FROM(fcvt.s.l, rne, 0x5f000000, NX, HIGHEST)
    S_FROM(fcvt.s.l, rtz, 0x5effffff, NX, HIGHEST)
    S_FROM(fcvt.s.l, rne, 0xdf000000, 0, LOWEST)
    S_FROM(fcvt.s.l, rne, NONE, 0, -1)
    S_FROM(fcvt.s.lu, rne, 0x5f800000, NX, -1)
    S_FROM(fcvt.s.lu, rdn, 0x5f7fffff, NX, -1)
    S_FROM(fcvt.s.lu, rne, 0x5f000000, 0, LOWEST)
#endif

    /* flags add up and are set by nothing else */
    csrwi fflags, DZ
    LOAD_S(fa0, ONE)
    LOAD_S(fa1, 0x33800000)
    fadd.s fa2, fa0, fa1, rne
    FLAGS(DZ|NX)
    flw fa0, snan, t0
    fsw fa0, 0(gp)
    fmv.w.x fa1, zero
    FLAGS(0)
    fsrmi 0
PROGRAM_END
DATA_BEGIN
spare:
    .dword 0
snan:
    .word SNAN
DATA_END
