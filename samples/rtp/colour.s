@ Subroutines of all programs.
        .global unit,load,result

@ unit: RV1 = RV15, whose lane 3 is 0, with length 1. Uses R2.
unit:   vv_mul_ele      RV1,RV15,RV15
        v_reduce        R2,RV1
        s_sqrt          R2,R2
        vf_div          RV1,RV15,R2
        ret

@ load: RV2 = the four constants from address R2 on. A load from the constants
@ gives one word, so it takes four. Uses R3.
load:   s_load_4byte    R3,R2,#0
        v_mov           RV2,RV0
        v_get_from_s    RV2,R3,#0
        s_load_4byte    R3,R2,#4
        v_get_from_s    RV2,R3,#1
        s_load_4byte    R3,R2,#8
        v_get_from_s    RV2,R3,#2
        s_load_4byte    R3,R2,#12
        v_get_from_s    RV2,R3,#3
        ret

@ result: RV1 is the pixel's colour, with 1 in lane 3; the thread ends.
result: s_write_low     R2,R0,#%lo(picture)
        s_write_high    R2,#%hi(picture)
        s_load_4byte    R3,R2,#60
        v_get_from_s    RV1,R3,#3
        s_mov           R2,R29
        s_write_low     R2,#0xfff0
        v_store_16byte  RV1,R2,#0
        fin
