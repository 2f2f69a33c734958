# librtp: the small ray-tracing processor without timing.
RTP_SRC := $(filter-out %_test.c,$(wildcard sim/rtp/*.c))
RTP_LIB := $(B)/lib/librtp.a
$(RTP_LIB): $(RTP_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

RTP_TESTS := $(patsubst sim/rtp/%.c,$(B)/tests/rtp/%,$(wildcard sim/rtp/*_test.c))
$(B)/tests/rtp/%: $(B)/obj/sim/rtp/%.o $(RTP_LIB) $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lm $(LDFLAGS)
UNIT_TESTS += $(RTP_TESTS)

# A program of ci/tests/rtp-objdump.sh.
$(B)/tests/rtp-words: $(B)/obj/sim/rtp/tests/words.o $(RTP_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lm $(LDFLAGS)

# rtp-run: replays recorded programs on the chips of sim/arch.
RTP_RUN_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_test.c,\
    $(wildcard sim/rtp/replay/*.c sim/arch/*.c)))
$(B)/bin/rtp-run: $(RTP_RUN_OBJ) $(HOST_LIBS) $(B)/obj/sdk/version/version.o | $(ARCH_FILES)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $(RTP_RUN_OBJ) $(B)/obj/sdk/version/version.o $(HOST_LIBS) \
	    -llua5.4 -lcjson -lz -lm $(LDFLAGS)

.PHONY: rtp-run
rtp-run: $(B)/bin/rtp-run ## build the tool that replays programs of the processor rtp
sim: $(B)/bin/rtp-run

.PHONY: install-rtp
install: install-rtp
install-rtp: $(B)/bin/rtp-run
	@mkdir -p $(DESTDIR)$(PREFIX)/bin
	@install -m 755 $(B)/bin/rtp-run $(DESTDIR)$(PREFIX)/bin
