@ Every instruction and pseudo-instruction; behind @@ the words that it becomes.
        .equ    width, 640
        vv_add RV1,RV2,RV15             @@ 00227800
        vv_sub RV1,RV2,RV3              @@ 04221800
        vv_mul_ele RV15,RV14,RV13       @@ 09ee6800
        vv_div RV0,RV1,RV2              @@ 0c011000
        cmp_v RV1,RV2                   @@ 14011000
        vf_add RV3,RV1,R31              @@ 2061f800
        vf_sub RV3,RV1,RS2              @@ 24611000
        vf_mul RV3,RV1,R2               @@ 28611000
        vf_div RV3,RV1,R2               @@ 2c611000
        not R7,R2                       @@ 30e20000
        and R0,R0,R0                    @@ 34000000
        or RS5,RS2,RS3                  @@ 38a21800
        xor R6,R2,R3                    @@ 3cc21800
        ff_add R4,R2,R3                 @@ 40821800
        ff_sub R5,R2,R3                 @@ 44a21800
        ff_mul R6,R2,R3                 @@ 48c21800
        ff_div R7,R2,R3                 @@ 4ce21800
        cmp_f R2,R3                     @@ 54021800
        ii_add R31,R30,R29              @@ 63fee800
        ii_sub R5,R2,R3                 @@ 64a21800
        ii_mul R4,R2,R3                 @@ 68821800
        ii_div R4,R2,R3                 @@ 6c821800
        cmp_i R2,R3                     @@ 74021800
        s_write_high R3,R2,#0x1234      @@ 80621234
        s_write_high R3,#65535          @@ 8063ffff
        s_write_high_real R3,R2,#1      @@ 80620001
        s_write_low R3,R2,#0            @@ 84620000
        s_write_low R3,#0xfff0          @@ 8463fff0
        s_write_low_real R3,R2,#1       @@ 84620001
        s_write_low R3,#%lo(0x12345678) @@ 84635678
        s_write_high R3,#%hi(0x12345678) @@ 80631234
        s_itof R5,R3                    @@ 88a30000
        itof R5,R3                      @@ 88a30000
        s_ftoi R4,R2                    @@ 8c820000
        ftoi R4,R2                      @@ 8c820000
        v_reduce R4,RV1                 @@ 90810000
        s_get_from_v R5,RV1,#3          @@ 94a10003
        s_sqrt R4,R2                    @@ 98820000
        v_get_from_s RV13,R4,#0         @@ 9da40000
        v_get_from_s_d RV13,R4,#2       @@ 9da40002
        ii_addi R4,R2,#32767            @@ a0827fff
        ii_addi R29,R29,#-4             @@ a3bdfffc
        ii_subi R5,R2,#-32768           @@ a4a28000
        ii_muli R5,R2,#width            @@ a8a20280
        ii_divi R5,R2,#-10              @@ aca2fff6
        s_load_4byte R4,R28,#1712       @@ b09c06b0
        v_load_16byte RV3,R28,#1712     @@ bc7c06b0
        be .                            @@ c000fffc
        bne .+4                         @@ c4000000
        bl .+8                          @@ c8000004
        bge .-4                         @@ cc00fff8
        bg #-20                         @@ d000ffec
        ble .+32768                     @@ d4007ffc
        jmp .-32764                     @@ d8008000
        ret R30                         @@ dc1e0000
        ret                             @@ dc1e0000
        ret R5                          @@ dc050000
        trace                           @@ e8000000
        fin                             @@ ec000000
        s_store_4byte R2,R28,#1712      @@ f05c06b0
        v_store_16byte RV15,R3,#0       @@ fde30000
        s_mov R28,R29                   @@ 639d0000
        v_mov RV2,RV1                   @@ 00410000
        s_setzero R20                   @@ 3e94a000
        s_push R7                       @@ f0fd0000 a3bd0004
        s_pop R5                        @@ a3bdfffc b0bd0000
        v_push RV6                      @@ fcdd0000 a3bd0010
        v_pop RV9                       @@ a3bdfff0 bd3d0000
        jmp_link .                      @@ a3df0004 d800fffc
        ii_mod R6,R2,R3                 @@ 6cc21800 68c61800 64c23000
        ii_modi R7,R2,#16               @@ ace20010 a8e70010 64e23800
@ Mnemonics in any case, blanks, several statements in a line, comments.
        V_REDUCE R3 , RV1               @@ 90610000
        Cmp_I R1,R2 ; FIN               @@ 74011000 ec000000
label:  and R0,R0,R0 /* a comment */    @@ 34000000
        jmp label // another            @@ d800fff8
