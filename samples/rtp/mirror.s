@ Like lambert, but surfaces may reflect: radiance calls itself with the
@ reflected ray, up to three times. Return addresses, and what is needed behind
@ a trace or a call, are on the stack.
        .equ    depth,3
        .global start
start:  and             R0,R0,R0
        jmp_link        ray
        ii_addi         R6,R0,#depth
        jmp_link        radiance
        jmp             result

@ radiance: RV1 = what is seen along the ray in RV14 and RV15 with R6 further
@ reflections. All registers but R29 change.
radiance:
        s_push          R30
        s_push          R6
        v_push          RV15
        trace
        s_get_from_v    R2,RV14,#3
        cmp_i           R2,R0
        be              miss
        jmp_link        shade
        v_pop           RV6             @ the ray's direction
        s_pop           R6
        and             R0,R0,R0        @ between the loads, see docs/guides/rtp.md
        s_load_4byte    R5,R4,#12       @ how much the material reflects
        cmp_i           R5,R0
        be              done
        cmp_i           R6,R0
        be              done

@ The reflected ray: d - n * (2 n.d), from a little above the surface.
        s_push          R5
        v_push          RV1
        ii_subi         R6,R6,#1
        v_get_from_s    RV6,R0,#3
        vv_mul_ele      RV3,RV5,RV6
        v_reduce        R3,RV3
        ff_add          R3,R3,R3
        vf_mul          RV3,RV5,R3
        vv_sub          RV15,RV6,RV3
        s_write_low     R2,R0,#%lo(light)
        s_write_high    R2,#%hi(light)
        s_load_4byte    R3,R2,#20
        vf_mul          RV3,RV5,R3
        vv_add          RV14,RV4,RV3
        jmp_link        radiance

@ own colour * (1 - k) + reflected colour * k
        v_pop           RV2
        s_pop           R5
        s_write_low     R2,R0,#%lo(light)
        s_write_high    R2,#%hi(light)
        s_load_4byte    R3,R2,#28       @ 1.0
        ff_sub          R3,R3,R5
        vf_mul          RV2,RV2,R3
        vf_mul          RV1,RV1,R5
        vv_add          RV1,RV2,RV1
done:   s_pop           R30
        ret

miss:   v_pop           RV6
        s_pop           R6
        s_write_low     R2,R0,#%lo(sky)
        s_write_high    R2,#%hi(sky)
        jmp_link        load
        v_mov           RV1,RV2
        jmp             done
