# libisa: RISC-V decode, execute, disassemble. Knows no timing.
ISA_SRC := $(filter-out %_test.c,$(wildcard sim/isa/*.c))
ISA_LIB := $(B)/lib/libisa.a
$(ISA_LIB): $(ISA_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

ISA_TESTS := $(patsubst sim/isa/%.c,$(B)/tests/isa/%,$(wildcard sim/isa/*_test.c))
$(B)/tests/isa/%: $(B)/obj/sim/isa/%.o $(ISA_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lm $(LDFLAGS)
UNIT_TESTS += $(ISA_TESTS)
