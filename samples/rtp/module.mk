# The samples of the second target: $(B)/samples/rtp/NAME is the program, out of
# its assembly and the parts that it calls, and NAME-model the C model.
RTP_SAMPLES := normals lambert mirror
RTP_PARTS_normals := camera colour scene
RTP_PARTS_lambert := shade camera colour scene
RTP_PARTS_mirror := shade camera colour scene

$(B)/obj/samples/rtp/%.rtp.o: samples/rtp/%.s $(TOOLCHAIN)/ready/rtp | sdk-commands
	@mkdir -p $(@D)
	$(B)/bin/corbel-rtp-as -g -o $@ $<

define rtp_sample
$(B)/samples/rtp/$(1): $(patsubst %,$(B)/obj/samples/rtp/%.rtp.o,$(1) $(RTP_PARTS_$(1)))
	@mkdir -p $$(@D)
	$(B)/bin/corbel-rtp-ld -o $$@ $$^
$(B)/samples/rtp/$(1)-model: $(B)/obj/samples/rtp/$(1).o $(B)/obj/samples/rtp/model.o
	@mkdir -p $$(@D)
	$(CC) $(CFLAGS) -o $$@ $$^ -lm $(LDFLAGS)
endef
$(foreach s,$(RTP_SAMPLES),$(eval $(call rtp_sample,$(s))))

.PHONY: samples-rtp
samples-rtp: $(foreach s,$(RTP_SAMPLES),$(B)/samples/rtp/$(s) $(B)/samples/rtp/$(s)-model) ## build the samples of the target rtp and their models
