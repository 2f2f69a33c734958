# libunits: the hardware modules. Benches are for their tests only.
UNITS_BENCH := $(wildcard sim/units/*bench.c)
UNITS_SRC := $(filter-out %_test.c $(UNITS_BENCH),$(wildcard sim/units/*.c))
UNITS_LIB := $(B)/lib/libunits.a
$(UNITS_LIB): $(UNITS_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# The RT core is tested with scenes that the scene tool's code builds.
UNITS_TESTS := $(patsubst sim/units/%.c,$(B)/tests/units/%,$(wildcard sim/units/*_test.c))
RTCORE_TESTS := $(filter $(B)/tests/units/rtcore_%,$(UNITS_TESTS))
$(RTCORE_TESTS): UNITS_TEST_LIBS = $(SCENE_TOOL_LIBS)
$(RTCORE_TESTS): $(B)/obj/sim/units/rtcore_bench.o $(filter-out %/main.o %/options.o,$(SCENE_TOOL_OBJ))
UNITS_BENCH_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %/rtcore_bench.c,$(UNITS_BENCH)))
$(B)/tests/units/%: $(B)/obj/sim/units/%.o $(UNITS_BENCH_OBJ) \
    $(UNITS_LIB) $(B)/lib/librtp.a $(B)/lib/libdram.a $(B)/lib/libuvm.a $(B)/lib/libcore.a $(B)/lib/libisa.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $(filter %.o,$^) $(UNITS_LIB) $(B)/lib/librtp.a $(B)/lib/libdram.a \
	    $(B)/lib/libuvm.a $(B)/lib/libcore.a $(B)/lib/libisa.a -lcmocka -lm $(UNITS_TEST_LIBS) $(LDFLAGS)
UNIT_TESTS += $(UNITS_TESTS)
