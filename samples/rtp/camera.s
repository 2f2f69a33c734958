@ ray: the camera ray of the pixel in R1, as RV14 (origin) and RV15
@ (direction). Uses R2 to R9.
        .global ray
ray:    s_write_low     R2,R0,#%lo(picture)
        s_write_high    R2,#%hi(picture)
        s_load_4byte    R3,R2,#0
        s_load_4byte    R4,R2,#4
        ii_div          R5,R1,R3        @ row
        ii_mul          R6,R5,R3
        ii_sub          R6,R1,R6        @ column
        ii_add          R6,R6,R6
        ii_addi         R6,R6,#1
        ii_sub          R6,R6,R3        @ 2 column + 1 - width
        ii_add          R5,R5,R5
        ii_addi         R5,R5,#1
        ii_sub          R5,R4,R5        @ height - (2 row + 1)
        s_itof          R4,R4
        s_itof          R5,R5
        s_itof          R6,R6
        s_load_4byte    R7,R2,#8
        s_load_4byte    R8,R2,#12
        ff_mul          R6,R6,R7
        ff_div          R6,R6,R4
        ff_mul          R5,R5,R7
        ff_div          R5,R5,R4
        ff_sub          R5,R5,R8
        s_load_4byte    R7,R2,#60       @ 1.0
        v_mov           RV15,RV0
        v_get_from_s    RV15,R6,#0
        v_get_from_s    RV15,R5,#1
        v_get_from_s    RV15,R7,#2
        s_load_4byte    R7,R2,#16       @ eye
        s_load_4byte    R8,R2,#20
        s_load_4byte    R9,R2,#24
        v_mov           RV14,RV0
        v_get_from_s    RV14,R7,#0
        v_get_from_s    RV14,R8,#1
        v_get_from_s    RV14,R9,#2
        ret
