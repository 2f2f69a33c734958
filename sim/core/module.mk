# libcore: the engine, chips, links, parameters, statistics. Knows no hardware.
CORE_SRC := $(filter-out %_test.c,$(wildcard sim/core/*.c))
CORE_LIB := $(B)/lib/libcore.a
$(CORE_LIB): $(CORE_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

CORE_TESTS := $(patsubst sim/core/%.c,$(B)/tests/core/%,$(wildcard sim/core/*_test.c))
$(B)/tests/core/%: $(B)/obj/sim/core/%.o $(CORE_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka $(LDFLAGS)
UNIT_TESTS += $(CORE_TESTS)
