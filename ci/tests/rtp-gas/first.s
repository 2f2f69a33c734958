@ The first of two objects; behind @@ the words of the linked program.
        .global start
start:  s_write_low R1,#%lo(pixel)      @@ 84210008
        s_write_high R1,#%hi(pixel)     @@ 80212000
        jmp_link sub                    @@ a3df0004 d800000c
        ii_addi R3,R0,#size-1           @@ a0600257
        s_write_low R4,#size            @@ 84840258
        fin                             @@ ec000000
        .const
        .word sub,pixel                 @@ 0000001c 20000008
