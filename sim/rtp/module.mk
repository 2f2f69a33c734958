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
$(B)/tests/rtp-words: $(B)/obj/sim/rtp/tests/rtp_words.o $(RTP_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lm $(LDFLAGS)
