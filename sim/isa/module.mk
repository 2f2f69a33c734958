# libisa: RISC-V decode, execute, disassemble. Knows no timing.
ISA_SRC := $(filter-out %_test.c,$(wildcard sim/isa/*.c))
ISA_LIB := $(B)/lib/libisa.a
$(ISA_LIB): $(ISA_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# Threaded code is some hundred jumps in one function, of which clang's sanitizers
# check each: optimised, that takes a minute a file.
THREADED_FLAGS =
$(patsubst %,$(B)/obj/sim/isa/%.o,functional local): CFLAGS_ALL += $(THREADED_FLAGS)

ISA_TESTS := $(patsubst sim/isa/%.c,$(B)/tests/isa/%,$(wildcard sim/isa/*_test.c))
$(B)/tests/isa/%: $(B)/obj/sim/isa/%.o $(ISA_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lm $(LDFLAGS)
UNIT_TESTS += $(ISA_TESTS)

# Programs of the end-to-end tests: tests/NAME.c -> isa-NAME with dashes.
ISA_TOOLS := $(B)/tests/isa-fuzz $(B)/tests/isa-run-program \
             $(B)/tests/isa-compare-words
$(B)/tests/isa-fuzz: $(patsubst %.c,$(B)/obj/%.o,$(wildcard sim/isa/tests/fuzz*.c)) \
                     $(ISA_LIB)
$(B)/tests/isa-run-program: $(B)/obj/sim/isa/tests/run_program.o $(ISA_LIB)
$(B)/tests/isa-compare-words: $(B)/obj/sim/isa/tests/compare_words.o \
                              $(B)/obj/sim/isa/tests/words.o $(ISA_LIB)
$(ISA_TOOLS):
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lm $(LDFLAGS)

.PHONY: isa-tools
isa-tools: $(ISA_TOOLS) ## build the helpers of the ISA's end-to-end tests
