# libcorbel and crt0 for the three targets: rv64 (rv64imafc/lp64f), rv64d
# (rv64imafdc/lp64d) and rv32 (rv32imafc/ilp32f).
#
# A target program is linked by $(B)/bin/corbel-gcc or corbel-g++ with the
# flags $(FLAGS_<target>). It depends on $(TARGET_<target>), one file that is
# made when all that C and C++ programs need is there; $(TARGET_TOOLCHAIN) is
# that of all three.
TOOLCHAIN ?= $(B)/toolchain
TARGETS := rv64 rv32 rv64d
FLAGS_rv64 := -march=rv64imafc -mabi=lp64f
FLAGS_rv32 := -march=rv32imafc -mabi=ilp32f
FLAGS_rv64d := -march=rv64imafdc -mabi=lp64d
abi_rv64 := lp64f
abi_rv32 := ilp32f
abi_rv64d := lp64d
# Where the compiler looks for each target's libraries.
folder_rv64 := /rv64imafc/lp64f
folder_rv32 := /rv32imafc/ilp32f
folder_rv64d :=

TARGET_DIR := $(B)/lib/corbel/target
TARGET_CFLAGS = -std=c17 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wno-unused-parameter -MD -MP \
                -fcallgraph-info=su -ffile-prefix-map=$(CURDIR)=. -I.
TARGET_TOOLCHAIN := $(TARGETS:%=$(TARGET_DIR)/%.ready)
LIBCORBEL_SRC := $(wildcard runtime/target/*.c) $(filter-out %_test.c,$(wildcard runtime/common/*.c))
LIBCORBEL_ASM := $(filter-out runtime/target/crt0.S,$(wildcard runtime/target/*.S))

# Libraries that Linux's programs are linked with, and that are empty there, too:
# what they are named after is in libcorbel, or told by the linker to be missing.
EMPTY_LIBS := pthread dl rt util atomic

# $(1) target
define target_runtime
TARGET_$(1) := $(TARGET_DIR)/$(1).ready
LIBCORBEL_$(1) := $(TARGET_DIR)$(folder_$(1))/libcorbel.a
EMPTY_$(1) := $(EMPTY_LIBS:%=$(TARGET_DIR)$(folder_$(1))/lib%.a)
CRT0_$(1) := $(TARGET_DIR)$(folder_$(1))/crt0.o $(TARGET_DIR)$(folder_$(1))/crt0-bare.o
READY_C_$(1) := $(TOOLCHAIN)/ready/c-$(abi_$(1)) $(B)/bin/corbel-gcc $(TARGET_DIR)/corbel.specs \
    $(TARGET_DIR)/include/ready
endef
$(foreach t,$(TARGETS),$(eval $(call target_runtime,$(t))))

# $(1) target
define target_rules
$(B)/obj/$(1)/runtime/%.o: runtime/%.c $(READY_C_$(1))
	@mkdir -p $$(@D)
	$(B)/bin/corbel-gcc $(FLAGS_$(1)) $$(TARGET_CFLAGS) -c -o $$@ $$<

$(B)/obj/$(1)/runtime/%.o: runtime/%.S $(READY_C_$(1))
	@mkdir -p $$(@D)
	$(B)/bin/corbel-gcc $(FLAGS_$(1)) $$(TARGET_CFLAGS) -c -o $$@ $$<

$(TARGET_DIR)$(folder_$(1))/crt0.o: crt0_main = main
$(TARGET_DIR)$(folder_$(1))/crt0-bare.o: crt0_main = corbel_bare_main
$(CRT0_$(1)): runtime/target/crt0.S runtime/target/asm.h runtime/include/corbel/abi.h $(READY_C_$(1))
	@mkdir -p $$(@D)
	$(B)/bin/corbel-gcc $(FLAGS_$(1)) -DCORBEL_MAIN=$$(crt0_main) -c -o $$@ $$<

# An exception may pass through these.
$(B)/obj/$(1)/runtime/target/once.o $(B)/obj/$(1)/runtime/target/unwind.o: \
    TARGET_CFLAGS += -fexceptions

$(LIBCORBEL_$(1)): $(LIBCORBEL_SRC:%.c=$(B)/obj/$(1)/%.o) \
    $(LIBCORBEL_ASM:%.S=$(B)/obj/$(1)/%.o) | sdk-commands
	@mkdir -p $$(@D)
	@rm -f $$@
	$(B)/bin/corbel-ar rcs $$@ $$^

$(EMPTY_$(1)): | sdk-commands
	@mkdir -p $$(@D)
	@$(B)/bin/corbel-ar rcs $$@

$(TARGET_$(1)): $(LIBCORBEL_$(1)) $(EMPTY_$(1)) $(CRT0_$(1)) $(TARGET_DIR)/corbel.ld \
    $(TOOLCHAIN)/ready/cxx-$(abi_$(1)) | sdk-commands
	@touch $$@
endef
$(foreach t,$(TARGETS),$(eval $(call target_rules,$(t))))

TARGET_HEADERS := $(wildcard runtime/target/include/*.h runtime/target/include/*/*.h)
$(TARGET_DIR)/include/ready: $(TARGET_HEADERS)
	@rm -rf $(@D)
	@mkdir -p $(@D)
	@cd runtime/target/include && cp --parents $(TARGET_HEADERS:runtime/target/include/%=%) $(abspath $(@D))
	@touch $@
$(TARGET_DIR)/corbel.ld: runtime/target/corbel.ld
	@mkdir -p $(@D)
	@cp $< $@
$(TARGET_DIR)/corbel.specs: sdk/specs/corbel.specs
	@mkdir -p $(@D)
	@cp $< $@

.PHONY: runtime
runtime: $(TARGET_TOOLCHAIN) ## build crt0 and libcorbel for the targets
	@:
