/*
 * What architectural tests leave to the model: how a test ends, and where its
 * signature is. sim-run knows both by symbols: a store to tohost ends the run,
 * --signature writes what lies between begin_signature and end_signature.
 */
/* clang-format off */
#ifndef CORBEL_MODEL_TEST_H
#define CORBEL_MODEL_TEST_H

/*
 * Harts other than the first have no part in a test. The word is csrr t0,
 * mhartid: most tests are assembled without Zicsr.
 */
#define RVMODEL_BOOT                                                    \
    .word 0xf14022f3                                                   ;\
1:  bnez t0, 1b

/* Status 0; what the test computed is judged by its signature. */
#define RVMODEL_HALT                                                    \
    fence                                                              ;\
    la t0, tohost                                                      ;\
    li t1, 1                                                           ;\
    sw t1, 0(t0)                                                       ;\
    sw zero, 4(t0)                                                     ;\
1:  j 1b

#define RVMODEL_DATA_BEGIN                                              \
    .pushsection .tohost, "aw", @progbits                              ;\
    .balign 64                                                         ;\
    .globl tohost                                                      ;\
tohost:                                                                ;\
    .dword 0                                                           ;\
    .size tohost, 8                                                    ;\
    .balign 64                                                         ;\
    .globl fromhost                                                    ;\
fromhost:                                                              ;\
    .dword 0                                                           ;\
    .size fromhost, 8                                                  ;\
    .popsection                                                        ;\
    .balign 16                                                         ;\
    .globl begin_signature                                             ;\
begin_signature:

/* Bytes: signatures are compared whole, so the reference's has to end alike. */
#ifndef CORBEL_SIGNATURE_ALIGN
#define CORBEL_SIGNATURE_ALIGN 4
#endif

#define RVMODEL_DATA_END                                                \
    .balign CORBEL_SIGNATURE_ALIGN                                     ;\
    .globl end_signature                                               ;\
end_signature:

/* Tests say nothing while they run. */
#define RVMODEL_IO_INIT
#define RVMODEL_IO_WRITE_STR(register, text)
#define RVMODEL_IO_CHECK()
#define RVMODEL_IO_ASSERT_GPR_EQ(base, register, value)
#define RVMODEL_IO_ASSERT_SFPR_EQ(register, result, value)
#define RVMODEL_IO_ASSERT_DFPR_EQ(register, result, value)

/* There are no interrupts to raise or to clear. */
#define RVMODEL_SET_MSW_INT
#define RVMODEL_CLEAR_MSW_INT
#define RVMODEL_CLEAR_MTIMER_INT
#define RVMODEL_CLEAR_MEXT_INT

#endif
