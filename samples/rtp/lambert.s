@ Matt surfaces in the light of a sun, with a shadow ray for each pixel that
@ faces it.
        .global start
start:  and             R0,R0,R0
        jmp_link        ray
        trace
        s_get_from_v    R2,RV14,#3
        cmp_i           R2,R0
        be              miss
        jmp_link        shade
        jmp             result

miss:   s_write_low     R2,R0,#%lo(sky)
        s_write_high    R2,#%hi(sky)
        jmp_link        load
        v_mov           RV1,RV2
        jmp             result
