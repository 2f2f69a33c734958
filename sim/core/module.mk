# libcore: the engine, chips, links, parameters, statistics. Knows no hardware.
# The toys are for tests only.
CORE_SRC := $(filter-out %_test.c %/toys.c,$(wildcard sim/core/*.c)) $(WHOLE_SRC)
CORE_LIB := $(B)/lib/libcore.a
$(CORE_LIB): $(CORE_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

TOY_TESTS := $(patsubst %,$(B)/tests/core/%_test,engine engine_check engine_mark engine_threads chip state)
$(TOY_TESTS): $(B)/obj/sim/core/toys.o
CORE_TESTS := $(patsubst sim/core/%.c,$(B)/tests/core/%,$(wildcard sim/core/*_test.c))
$(B)/tests/core/%: $(B)/obj/sim/core/%.o $(CORE_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $(filter %.o,$^) $(CORE_LIB) -lcmocka -lz $(LDFLAGS)
UNIT_TESTS += $(CORE_TESTS)
