# sim-run, and the chip descriptions that it finds beside it.
HOST_SRC := $(filter-out %_test.c,$(wildcard sim/host/*.c sim/arch/*.c))
HOST_OBJ := $(HOST_SRC:%.c=$(B)/obj/%.o) $(B)/obj/sim/host/demangle.o
ARCH_FILES := $(patsubst sim/arch/%.lua,$(B)/share/corbel/arch/%.lua,$(wildcard sim/arch/*.lua))

# Named by path: their module.mk may come after this one.
HOST_LIBS := $(addprefix $(B)/lib/,libunits.a libdram.a libcore.a libisa.a)

$(HOST_OBJ): CFLAGS_ALL += -I/usr/include/lua5.4
# They hash megabytes; -O2 leaves the hash's four lanes in memory.
$(patsubst %,$(B)/obj/sim/host/%.o,scene output results): OPT = -O3

$(B)/bin/sim-run: $(HOST_OBJ) $(HOST_LIBS) $(B)/obj/sdk/version/version.o | $(ARCH_FILES)
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -o $@ $(HOST_OBJ) $(HOST_LIBS) $(B)/obj/sdk/version/version.o \
	    -ldw -lelf -llua5.4 -lcjson -lm $(LDFLAGS)

$(B)/share/corbel/arch/%.lua: sim/arch/%.lua
	@mkdir -p $(@D)
	cp $< $@

sim: $(ARCH_FILES)

.PHONY: install-sim
install: install-sim
install-sim: $(B)/bin/sim-run $(B)/bin/corbel-scene $(B)/bin/corbel-rays $(ARCH_FILES)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/corbel/arch
	@install -m 755 $(B)/bin/sim-run $(B)/bin/corbel-scene $(B)/bin/corbel-rays $(DESTDIR)$(PREFIX)/bin
	@install -m 644 $(ARCH_FILES) $(DESTDIR)$(PREFIX)/share/corbel/arch

# The model behind --check-memory needs no more of the rest than memory.
$(B)/tests/host/memory_model_test: $(B)/obj/sim/host/memory_model_test.o \
    $(B)/obj/sim/host/memory_model.o $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka $(LDFLAGS)
UNIT_TESTS += $(B)/tests/host/memory_model_test

# What is derived needs the kinds of units and their counters.
$(B)/tests/host/derived_test: $(B)/obj/sim/host/derived_test.o \
    $(B)/obj/sim/host/derived.o $(B)/obj/sim/host/totals.o $(HOST_LIBS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lcjson -lm $(LDFLAGS)
UNIT_TESTS += $(B)/tests/host/derived_test
