@ shade: the light that reaches a surface. In: RV14 the point, with the shader
@ word in lane 3, and RV15 the normal, as trace leaves them. Out: RV1 the
@ colour, RV4 the point, RV5 the normal with length 1, R4 the shader word.
@ There is a trace in it: all registers but R29 change.
        .global shade
shade:  s_push          R30
        s_get_from_v    R4,RV14,#3
        jmp_link        unit
        v_mov           RV5,RV1
        v_mov           RV4,RV14
        v_get_from_s    RV4,R0,#3
        s_write_low     R2,R0,#%lo(light)
        s_write_high    R2,#%hi(light)
        jmp_link        load
        vv_mul_ele      RV3,RV5,RV2
        v_reduce        R5,RV3          @ cosine between normal and light
        cmp_f           R5,R0
        bg              toward
        s_setzero       R5
        jmp             colour

@ Is there a triangle between the point and the light? Registers do not
@ survive the trace: what is needed afterwards goes to the stack.
toward: s_load_4byte    R3,R2,#20       @ how far above the surface
        vf_mul          RV3,RV5,R3
        s_push          R4
        s_push          R5
        v_push          RV4
        v_push          RV5
        vv_add          RV14,RV4,RV3
        v_mov           RV15,RV2
        trace
        v_pop           RV5
        v_pop           RV4
        s_pop           R5
        s_pop           R4
        s_get_from_v    R2,RV14,#3
        cmp_i           R2,R0
        be              colour
        s_setzero       R5

colour: s_write_low     R2,R0,#%lo(light)
        s_write_high    R2,#%hi(light)
        s_load_4byte    R3,R2,#16       @ without light
        ff_add          R5,R5,R3
        s_mov           R2,R4
        jmp_link        load
        vf_mul          RV1,RV2,R5
        s_pop           R30
        ret
