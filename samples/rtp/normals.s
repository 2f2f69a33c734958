@ Every pixel shows the direction of the surface that is seen there: red, green
@ and blue are half of x, y and z plus one half.
        .global start
start:  and             R0,R0,R0
        jmp_link        ray
        trace
        s_get_from_v    R2,RV14,#3
        cmp_i           R2,R0
        be              miss
        jmp_link        unit
        s_write_low     R2,R0,#%lo(picture)
        s_write_high    R2,#%hi(picture)
        s_load_4byte    R3,R2,#56       @ 0.5
        vf_mul          RV1,RV1,R3
        vf_add          RV1,RV1,R3
        jmp             result

miss:   s_write_low     R2,R0,#%lo(sky)
        s_write_high    R2,#%hi(sky)
        jmp_link        load
        v_mov           RV1,RV2
        jmp             result
