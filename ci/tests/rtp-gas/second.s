@ The second of two objects.
        .global sub,pixel,size
        .equ    size,600
sub:    be start                        @@ c000ffe0
        ret                             @@ dc1e0000
        .const
pixel:  .word size,start+4,start-.      @@ 00000258 00000004 dffffff0
        .triangles
        .word 0,1,2,0xff8040            @@ 00000000 00000001 00000002 00ff8040
