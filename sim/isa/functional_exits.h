/* Where run<XLEN>() goes on when no row does: other pages, entries that are not
 * decoded yet, and its ends. A part of its body; see functional_loop.h.
 * clang-format takes the labels of a part for other things. */
/* clang-format off */
jump: /* to pc, in a page that is not the current one */
    if (!in_memory(memory, pc, 2)) {
        COUNT;
        hart->pc = pc;
        return left ? fault(hart, effect, pc, ISA_CAUSE_FETCH_FAULT, pc)
                    : ISA_STOP_LIMIT;
    }
    page = find_page(code, pc);
    insn = &page->entries[pc % (1 << PAGE_BITS) / 2];
    NEXT;

page_end:
    left++;
    pc = PC;
    goto jump;

empty:
    if (decode_entry(memory, &code->profile, PC, insn, &missing))
        EXECUTE;
    FAULT(ISA_CAUSE_FETCH_FAULT, missing);

illegal:
    ILLEGAL;

limit_reached:
    COUNT;
    hart->pc = PC;
    return ISA_STOP_LIMIT;

stopped: /* before the current instruction */
    left++;
    COUNT;
    hart->pc = PC;
    return stop;

leave_ISA_FENCE:
leave_ISA_HINT:
    ADVANCE;

leave_ISA_FENCE_I:
    pc = UNSIGNED(PC + LEN);
    isa_code_flush(code);
    goto jump;

leave_ISA_UNIT:
    COUNT;
    *unit = *insn;
    hart->pc = UNSIGNED(PC + LEN);
    return ISA_STOP_UNIT;
