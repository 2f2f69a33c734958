@ Every directive of data; behind @@ the words that it becomes.
label:
        .word 0x12345678,label-.        @@ 12345678 fffffffc
        .float 1.0                      @@ 3f800000
        .byte 1,2                       @@ none
        .half 0x0403                    @@ 04030201
        .string "abc"                   @@ 00636261
        .space 4                        @@ 00000000
