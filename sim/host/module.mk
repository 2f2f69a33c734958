# sim-run, and the chip descriptions that it finds beside it.
HOST_SRC := $(filter-out %_test.c,$(wildcard sim/host/*.c sim/host/*/*.c sim/arch/*.c))
HOST_OBJ := $(HOST_SRC:%.c=$(B)/obj/%.o) $(B)/obj/sim/host/run/demangle.o
ARCH_FILES := $(patsubst sim/arch/%.lua,$(B)/share/corbel/arch/%.lua,$(wildcard sim/arch/*.lua))

# Named by path: their module.mk may come after this one.
HOST_LIBS := $(addprefix $(B)/lib/,libverdict.a libunits.a librtp.a libdram.a libuvm.a libcore.a libisa.a)

# What --serve shows: sim-report's page.
HOST_LIBS += $(B)/lib/libreport.a $(B)/lib/libcore.a $(B)/obj/sim/report/page/bytes.o
HOST_LDLIBS := -ldw -lelf -llua5.4 -lcjson -lmicrohttpd -lhwloc -lzstd -lz -lm

$(HOST_OBJ) $(B)/obj/sim/arch/budget_test.o: CFLAGS_ALL += -I/usr/include/lua5.4
# They hash megabytes; -O2 leaves the hash's four lanes in memory.
$(patsubst %,$(B)/obj/sim/host/%.o,run/placed_files results/manifest results/results): OPT = -O3

$(B)/bin/sim-run: $(HOST_OBJ) $(HOST_LIBS) $(B)/obj/sdk/version/version.o | $(ARCH_FILES)
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -o $@ $(HOST_OBJ) $(HOST_LIBS) $(B)/obj/sdk/version/version.o \
	    $(HOST_LDLIBS) $(LDFLAGS)

# The same with STALLS, for sim-run --stalls: made anew when sim-run is.
$(B)/bin/sim-run-stalls: $(B)/bin/sim-run
	@B=$(B) ci/variant stalls bin/sim-run >/dev/null
	@cp $(B)/stalls/bin/sim-run $@.new
	@mv $@.new $@

$(B)/share/corbel/arch/%.lua: sim/arch/%.lua
	@mkdir -p $(@D)
	cp $< $@

sim: $(ARCH_FILES)
.PHONY: arch-files
arch-files: $(ARCH_FILES)

.PHONY: install-sim
install: install-sim
install-sim: $(PROGRAMS) $(ARCH_FILES)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/corbel/arch
	@install -m 755 $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	@install -m 644 $(ARCH_FILES) $(DESTDIR)$(PREFIX)/share/corbel/arch

# A unit test has all of sim-run but main().
HOST_TESTS := $(patsubst sim/%.c,$(B)/tests/%,$(wildcard sim/host/*/*_test.c sim/arch/*_test.c))
$(HOST_TESTS): $(B)/tests/%: $(B)/obj/sim/%.o $(filter-out %/main.o,$(HOST_OBJ)) \
    $(HOST_LIBS) $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -o $@ $(filter-out %/bytes.o,$(filter %.o,$^)) $(HOST_LIBS) \
	    -lcmocka $(HOST_LDLIBS) $(LDFLAGS)
UNIT_TESTS += $(HOST_TESTS)
