# Samples: every folder but chips, common and rtp is one program, from all its .c and .cpp
# files and those of common. $(B)/samples/native/NAME runs here,
# $(B)/samples/rv64/NAME (rv64imafc/lp64f), rv64d (rv64imafdc/lp64d) and rv32
# (rv32imafc/ilp32f) in sim-run.
SAMPLES := $(filter-out chips common rtp,$(notdir $(patsubst %/,%,$(wildcard samples/*/))))
# -O3: a third fewer instructions than -O2 in the path tracer's kernel.
SAMPLE_FLAGS := -O3 -g -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-unused-parameter -Wno-maybe-uninitialized \
    -MD -MP -fcallgraph-info=su
TARGET_CC := $(B)/bin/corbel-gcc
TARGET_CXX := $(B)/bin/corbel-g++

sample_src = $(filter-out %_test.c,$(wildcard samples/common/*.c \
    samples/$(1)/*.c samples/$(1)/*.cpp))
sample_obj = $(patsubst %,$(2)/%.o,$(basename $(call sample_src,$(1))))
sample_driver = $(if $(wildcard samples/$(1)/*.cpp),$(3),$(2))

# $(1) rv64, rv64d or rv32
define target_objects
$(B)/obj/$(1)/samples/%.o: samples/%.c samples/module.mk | $(TARGET_$(1))
	@mkdir -p $$(@D)
	$(TARGET_CC) -std=c17 $(FLAGS_$(1)) $(SAMPLE_FLAGS) -c -o $$@ $$<

$(B)/obj/$(1)/samples/%.o: samples/%.cpp samples/module.mk | $(TARGET_$(1))
	@mkdir -p $$(@D)
	$(TARGET_CXX) -std=c++17 $(FLAGS_$(1)) $(SAMPLE_FLAGS) -c -o $$@ $$<
endef
$(foreach t,rv64 rv64d rv32,$(eval $(call target_objects,$(t))))

# $(1) sample, $(2) rv64, rv64d or rv32
define target_program
$(B)/samples/$(2)/$(1): $(call sample_obj,$(1),$(B)/obj/$(2)) $(TARGET_$(2))
	@mkdir -p $$(@D)
	$(call sample_driver,$(1),$(TARGET_CC),$(TARGET_CXX)) $(FLAGS_$(2)) -g -o $$@ $$(filter %.o,$$^) -lm
endef

define sample
$(B)/samples/native/$(1): $(call sample_obj,$(1),$(B)/obj) $(NATIVE_LIB)
	@mkdir -p $$(@D)
	$(call sample_driver,$(1),$(CC),$(CXX)) -pthread $(CFLAGS) -o $$@ $$^ -lm $(LDFLAGS)

$(foreach t,rv64 rv64d rv32,$(eval $(call target_program,$(1),$(t))))

.PHONY: sample-$(1)
sample-$(1): $(foreach t,native rv64 rv32,$(B)/samples/$(t)/$(1))
endef
$(foreach s,$(SAMPLES),$(eval $(call sample,$(s))))

.PHONY: samples samples-native
samples-native: $(SAMPLES:%=$(B)/samples/native/%) ## build the samples for this machine
samples: $(SAMPLES:%=sample-%) ## build the samples natively and for rv64 and rv32
