@ Wrong lines; behind @@ what the assembler must say of each.
        .equ    large, 70000
        nonsense R1,R2          @@ unrecognized instruction `nonsense'
        s_load R1,R2,#0         @@ unrecognized instruction `s_load'
        and R1,R2               @@ missing operand: expected `and Rd,Ra,Rb'
        and                     @@ missing operand: expected `and Rd,Ra,Rb'
        and R1,,R2              @@ missing operand 2 of `and'
        and R1,R2,R3,R4         @@ too many operands: expected `and Rd,Ra,Rb'
        and R1,R2,R3,R4,R5      @@ too many operands: expected `and Rd,Ra,Rb'
        trace R1                @@ too many operands: expected `trace'
        s_write_low R1          @@ missing operand: expected `s_write_low Rd,Ra,#immediate' or `s_write_low Rd,#immediate'
        ret R1,R2               @@ too many operands: expected `ret Ra' or `ret'
        s_push                  @@ missing operand: expected `s_push Rd'
        s_get_from_v R1,RV1     @@ missing operand: expected `s_get_from_v Rd,RVa,#lane'
        jmp                     @@ missing operand: expected `jmp label'
        and R1,R2,R3 R4         @@ junk after operand 3 of `and': `R4'
        and R1 x,R2,R3          @@ junk after operand 1 of `and': `x'
        ii_addi R1,R2,#5 6      @@ junk after operand 3 of `ii_addi': `6'
        and R32,R1,R2           @@ operand 1 of `and': expected a scalar register (R0 to R31), not `R32'
        and R1,R,R2             @@ operand 2 of `and': expected a scalar register (R0 to R31), not `R'
        and R1,R2,R3x           @@ operand 3 of `and': expected a scalar register (R0 to R31), not `R3x'
        and R1,R2,RV3           @@ operand 3 of `and': expected a scalar register (R0 to R31), not `RV3'
        and R1,R2,#3            @@ operand 3 of `and': expected a scalar register (R0 to R31), not `#3'
        vv_add RV1,RV2,R3       @@ operand 3 of `vv_add': expected a vector register (RV0 to RV15), not `R3'
        vv_add RV16,RV2,RV3     @@ operand 1 of `vv_add': expected a vector register (RV0 to RV15), not `RV16'
        vf_add RV1,RV2,RV3      @@ operand 3 of `vf_add': expected a scalar register (R0 to R31), not `RV3'
        v_reduce RV1,RV2        @@ operand 1 of `v_reduce': expected a scalar register (R0 to R31), not `RV1'
        s_push RV1              @@ operand 1 of `s_push': expected a scalar register (R0 to R31), not `RV1'
        v_pop R1                @@ operand 1 of `v_pop': expected a vector register (RV0 to RV15), not `R1'
        ii_addi R1,R2,5         @@ operand 3 of `ii_addi': expected an immediate (# and a value), not `5'
        ii_addi R1,R2,R3        @@ operand 3 of `ii_addi': expected an immediate (# and a value), not `R3'
        ii_addi R1,R2,#         @@ operand 3 of `ii_addi': expected a number or a symbol, not `'
        ii_addi R1,R2,#32768    @@ operand 3 of `ii_addi': 32768 is outside -32768 to 32767
        ii_subi R1,R2,#-32769   @@ operand 3 of `ii_subi': -32769 is outside -32768 to 32767
        ii_muli R1,R2,#large    @@ operand 3 of `ii_muli': 70000 is outside -32768 to 32767
        s_load_4byte R1,R2,#32768  @@ operand 3 of `s_load_4byte': 32768 is outside -32768 to 32767
        v_store_16byte RV1,R2,#-32769 @@ operand 3 of `v_store_16byte': -32769 is outside -32768 to 32767
        s_write_high R2,#65536  @@ operand 2 of `s_write_high': 65536 is outside 0 to 65535
        s_write_low R2,R3,#-1   @@ operand 3 of `s_write_low': -1 is outside 0 to 65535
        s_get_from_v R1,RV1,#4  @@ operand 3 of `s_get_from_v': 4 is outside 0 to 3
        v_get_from_s RV1,R1,#-1 @@ operand 3 of `v_get_from_s': -1 is outside 0 to 3
        v_get_from_s RV1,R1,#later @@ operand 3 of `v_get_from_s': expected a number that is known here, not `#later'
        be #32768               @@ operand 1 of `be': 32768 is outside -32768 to 32767
        jmp #2                  @@ operand 1 of `jmp': expected a multiple of 4, not `#2'
        bge #-5                 @@ operand 1 of `bge': expected a multiple of 4, not `#-5'
        jmp_link #6             @@ operand 1 of `jmp_link': expected a multiple of 4, not `#6'
        ble #odd                @@ operand 1 of `ble': expected a number that is known here, not `#odd'
        be #elsewhere           @@ operand 1 of `be': expected a number that is known here, not `#elsewhere'
        jmp R5                  @@ operand 1 of `jmp': expected a label, not `R5'
        be .+2                  @@ branch target is not at a multiple of 4
        be .+32772              @@ branch distance 32768 is outside -32768 to 32767
        jmp_link .-32768        @@ branch distance -32772 is outside -32768 to 32767
        ii_addi R1,R2,#distant  @@ immediate 40000 is outside -32768 to 32767
        s_write_low R1,#minus   @@ immediate -1 is outside 0 to 65535
        ii_mod R4,R4,R2         @@ Warning: `ii_mod' writes R4 before it has read it: the destination must be another register
        ii_mod R4,R2,R4         @@ Warning: `ii_mod' writes R4 before it has read it: the destination must be another register
        ii_modi R4,R4,#3        @@ Warning: `ii_modi' writes R4 before it has read it: the destination must be another register
        .set    distant, 40000
        .set    odd, 7
        .set    minus, -1
        .section .other,"ax"
        .byte 1
        fin                     @@ instruction address is not a multiple of 4
        .const
        fin                     @@ instruction in section .const, which is not for instructions
