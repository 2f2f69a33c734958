# What a user of the toolchain touches. The toolchain itself is built by a make
# of its own, sdk/toolchain/Makefile, in $(TOOLCHAIN) (runtime/module.mk).
TOOLCHAIN_INPUTS := sdk/isa/xtrav.def $(wildcard binutils-patches/series \
    binutils-patches/*.patch sdk/toolchain/*)
# One build at a time; -j of our own unless make was given one.
TOOLCHAIN_MAKE = mkdir -p $(TOOLCHAIN) && flock $(TOOLCHAIN)/lock \
    $(MAKE) --no-print-directory -f sdk/toolchain/Makefile \
    $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) T=$(abspath $(TOOLCHAIN))

.PHONY: toolchain
toolchain: ## build assembler, linker, C and C++ libraries for the target
	+@$(TOOLCHAIN_MAKE) all
	+@$(MAKE) --no-print-directory $(TARGET_TOOLCHAIN)

# ready/c-ABI, ready/cxx-ABI: C, C++ programs of that ABI can be built. One
# after the other, in the order in which they are mostly wanted.
TOOLCHAIN_READY := c-lp64f cxx-lp64f c-ilp32f cxx-ilp32f c-lp64d cxx-lp64d
TOOLCHAIN_READY := $(TOOLCHAIN_READY:%=$(TOOLCHAIN)/ready/%)
$(TOOLCHAIN_READY): $(TOOLCHAIN_INPUTS)
	+@$(TOOLCHAIN_MAKE) $(@F)
	@touch $@
$(TOOLCHAIN)/ready/cxx-%: | $(TOOLCHAIN)/ready/c-%

# Commands. build/ is laid out like an installed tree: the wrappers find the
# rest at ../lib/corbel.
SDK_TOOLS := addr2line ar as c++filt ld nm objcopy objdump ranlib readelf size strip
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
