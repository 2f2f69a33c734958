# rtp-run: replays recorded programs on the chips of sim/arch.
RTP_RUN_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_test.c,\
    $(wildcard sim/rtp-run/*.c sim/arch/*.c)))
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
