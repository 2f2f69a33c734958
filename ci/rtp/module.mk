.PHONY: rtp-study
rtp-study: $(B)/bin/sim-run $(B)/bin/corbel-scene samples-rtp ## frame time of the processor rtp by intersection cores (a minute)
	@B=$(B) ci/rtp/study
