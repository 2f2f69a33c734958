# libunits: the hardware modules, a folder for each family of kinds. Benches are for the
# tests only.
UNITS_FAMILIES := $(patsubst sim/units/%/,%,$(sort $(dir $(wildcard sim/units/*/*.c))))
UNITS_SRC := $(filter-out %_test.c %bench.c,$(wildcard sim/units/*.c sim/units/*/*.c))
UNITS_LIB := $(B)/lib/libunits.a
$(UNITS_LIB): $(UNITS_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# A test has the benches of its family and the common ones; a family that needs more has a
# module.mk. The libraries are named by path: their module.mk come before and after this one.
UNITS_TEST_LIBRARIES := $(UNITS_LIB) $(addprefix $(B)/lib/,librtp.a libdram.a libuvm.a libcore.a libisa.a)
define units_tests
UNIT_TESTS += $(patsubst sim/%.c,$(B)/tests/%,$(wildcard sim/units/$1/*_test.c))
$(B)/tests/units/$1/%: $(B)/obj/sim/units/$1/%.o $(patsubst %.c,$(B)/obj/%.o,$(sort \
    $(wildcard sim/units/$1/*bench.c sim/units/common/*bench.c))) $(UNITS_TEST_LIBRARIES)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS_ALL) -o $$@ $$(filter %.o,$$^) $(UNITS_TEST_LIBRARIES) \
	    -lcmocka -lm $$(UNITS_TEST_LIBS) $$(LDFLAGS)
endef
$(foreach family,$(UNITS_FAMILIES),$(eval $(call units_tests,$(family))))
