# libcorbel-native: the runtime's interface on the host, for native programs.
NATIVE_SRC := $(wildcard native-shim/*.c) \
    $(filter-out %_test.c,$(wildcard runtime/common/*.c))
NATIVE_LIB := $(B)/lib/libcorbel-native.a

# Hashes and verifies megabytes; -O2 leaves the hash's four lanes in memory.
$(B)/obj/native-shim/scene.o: OPT = -O3

$(NATIVE_LIB): $(NATIVE_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^
