# libunits: the hardware modules.
UNITS_SRC := $(filter-out %_test.c,$(wildcard sim/units/*.c))
UNITS_LIB := $(B)/lib/libunits.a
$(UNITS_LIB): $(UNITS_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

UNITS_TESTS := $(patsubst sim/units/%.c,$(B)/tests/units/%,$(wildcard sim/units/*_test.c))
$(B)/tests/units/%: $(B)/obj/sim/units/%.o $(UNITS_LIB) $(CORE_LIB) $(ISA_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lm $(LDFLAGS)
UNIT_TESTS += $(UNITS_TESTS)
