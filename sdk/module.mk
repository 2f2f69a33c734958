# What a user of the toolchain touches. The toolchain itself is built by a make
# of its own, sdk/toolchain/Makefile, in $(TOOLCHAIN) (runtime/module.mk).
TOOLCHAIN_INPUTS := sdk/isa/xtrav.def sdk/isa/rtp.def \
    $(filter-out %.md sdk/toolchain/%-patches sdk/toolchain/libm, \
    $(wildcard binutils-patches/series binutils-patches/*.patch binutils-patches/rtp/* \
    sdk/toolchain/* sdk/toolchain/*-patches/* sdk/toolchain/libm/*))
# One build at a time; -j of our own unless make was given one.
TOOLCHAIN_MAKE = mkdir -p $(TOOLCHAIN) && flock $(TOOLCHAIN)/lock \
    $(MAKE) --no-print-directory -f sdk/toolchain/Makefile \
    $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) T=$(abspath $(TOOLCHAIN))

.PHONY: toolchain
toolchain: ## build assembler, linker, C and C++ libraries for the targets
	+@$(TOOLCHAIN_MAKE) all
	+@$(MAKE) --no-print-directory runtime

# ready/c-ABI, ready/cxx-ABI: C, C++ programs of that ABI can be built; ready/rtp:
# programs of the second target. One after the other, in the order in which they
# are mostly wanted.
TOOLCHAIN_READY := c-lp64f cxx-lp64f c-ilp32f cxx-ilp32f c-lp64d cxx-lp64d rtp
TOOLCHAIN_READY := $(TOOLCHAIN_READY:%=$(TOOLCHAIN)/ready/%)
$(TOOLCHAIN_READY): $(TOOLCHAIN_INPUTS)
	+@$(TOOLCHAIN_MAKE) $(@F)
	@touch $@
$(TOOLCHAIN)/ready/cxx-%: | $(TOOLCHAIN)/ready/c-%

# Commands. build/ is laid out like an installed tree: the wrappers find the
# rest at ../lib/corbel.
SDK_TOOLS := addr2line ar as c++filt ld nm objcopy objdump ranlib readelf size strip
SDK_TOOLS += $(addprefix rtp-,as ld nm objcopy objdump readelf)
SDK_COMMANDS := $(B)/bin/corbel-gcc $(B)/bin/corbel-g++ $(SDK_TOOLS:%=$(B)/bin/corbel-%)

$(B)/bin/corbel-gcc $(B)/bin/corbel-tool: $(B)/bin/%: sdk/bin/% | $(B)/lib/corbel/links
	@mkdir -p $(@D)
	@install -m 755 $< $@.new
	@mv $@.new $@
$(B)/bin/corbel-g++: $(B)/bin/corbel-gcc
	@ln -sf corbel-gcc $@
$(SDK_TOOLS:%=$(B)/bin/corbel-%): $(B)/bin/corbel-tool
	@ln -sf corbel-tool $@
$(B)/lib/corbel/links:
	@mkdir -p $(@D)
	@ln -sfn $(shell realpath -m --relative-to=$(B)/lib/corbel $(TOOLCHAIN)) $(@D)/toolchain
	@ln -sfn $(shell realpath -m --relative-to=$(B)/lib/corbel runtime/include) $(@D)/include
	@touch $@

.PHONY: sdk-commands
sdk-commands: $(SDK_COMMANDS)

# The reference page of the instructions is kept in the repository.
$(B)/sdk/instructions: $(B)/obj/sdk/isa/instructions.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $< $(LDFLAGS)
.PHONY: docs
docs: $(B)/sdk/instructions ## renew the pages that are made from tables (docs/README.md)
	@$< >docs/reference/instructions.md.new
	@mv docs/reference/instructions.md.new docs/reference/instructions.md

# Copies what a user of the SDK needs, laid out as in $(B).
PREFIX ?= /usr/local
SDK_DEST = $(DESTDIR)$(PREFIX)/lib/corbel
.PHONY: install install-sdk
install: install-sdk ## copy what was built to PREFIX (default /usr/local)
install-sdk: $(TARGET_TOOLCHAIN) $(TOOLCHAIN)/ready/rtp $(NATIVE_LIB)
	@mkdir -p $(SDK_DEST)/include $(SDK_DEST)/toolchain \
	    $(addprefix $(DESTDIR)$(PREFIX)/,bin include lib/pkgconfig lib/cmake/corbel)
	@cp -a $(TOOLCHAIN)/tools $(TOOLCHAIN)/riscv $(SDK_DEST)/toolchain
	@cp -a $(TARGET_DIR) $(SDK_DEST)
	@cp -aL runtime/include/corbel $(SDK_DEST)/include
	@rm -f $(SDK_DEST)/include/corbel/isa/*.[!d]*
	@ln -sfn ../lib/corbel/include/corbel $(DESTDIR)$(PREFIX)/include/corbel
	@cp -a $(SDK_COMMANDS) $(B)/bin/corbel-tool $(DESTDIR)$(PREFIX)/bin
	@install -m 644 $(NATIVE_LIB) $(DESTDIR)$(PREFIX)/lib
	@install -m 644 sdk/cmake/*.cmake $(DESTDIR)$(PREFIX)/lib/cmake/corbel
	@sed 's|@prefix@|$(PREFIX)|' sdk/pkgconfig/corbel.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/corbel.pc
