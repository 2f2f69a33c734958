# Fuzz targets: $(B)/fuzz/NAME, of the names in ci/fuzz/targets. They are built by
# ci/fuzz/run, with the flags of the variant `fuzz` (ci/variant).
FUZZ_TARGETS := $(shell sed '1d;s/ .*//' ci/fuzz/targets)

# Objects of folders but their programs; by name, as their module.mk come after
# this one.
fuzz_obj = $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_test.c %/main.c %/mesh_fuzz.c %/fuzz.c,$(wildcard $(1:%=%/*.c))))
fuzz_sim := $(call fuzz_obj,sim/host $(wildcard sim/host/*/) sim/arch) $(B)/obj/sim/host/run/demangle.o
fuzz_libs := $(addprefix $(B)/lib/,libunits.a librtp.a libdram.a libuvm.a libcore.a libisa.a \
    libreport.a libverdict.a libcore.a)

$(B)/fuzz/dram: $(call fuzz_obj,sim/dram/replay)
$(B)/fuzz/mesh: $(call fuzz_obj,sdk/mesh) $(B)/obj/sdk/common/file.o
$(B)/fuzz/pages: $(call fuzz_obj,sim/uvm/replay)
$(B)/fuzz/rtp: $(call fuzz_obj,sim/rtp-run sim/arch)
$(addprefix $(B)/fuzz/,checkpoint elf files gdb lua options warm): $(fuzz_sim) \
    $(B)/obj/sim/report/page/bytes.o
$(B)/fuzz/warm: $(B)/obj/ci/fuzz/chip.o
$(B)/fuzz/files: FUZZ_WRAP = ,--wrap=syscall

$(addprefix $(B)/fuzz/,$(FUZZ_TARGETS)): $(B)/fuzz/%: $(B)/obj/ci/fuzz/%.o \
    $(B)/obj/ci/fuzz/fuzz.o $(fuzz_libs) $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -fsanitize=fuzzer -Wl,--wrap=_exit$(FUZZ_WRAP) -o $@ \
	    $(filter %.o,$^) $(fuzz_libs) -ldw -lelf -llua5.4 -lcjson -lmicrohttpd -lhwloc -llzma -lz -lzstd \
	    -lm $(LDFLAGS)

$(B)/fuzz/mesh-seeds: $(B)/obj/ci/fuzz/mesh_seeds.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS)

.PHONY: fuzz
fuzz: ## run fuzz target TARGET for SECONDS, usually 60 (docs/reference/testing.md)
	@B=$(B) ci/fuzz/run "$(TARGET)" $(or $(SECONDS),60)
