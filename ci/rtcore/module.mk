.PHONY: rtcore-check bench-rtcore
rtcore-check: $(B)/bin/sim-run $(B)/bin/corbel-scene $(B)/samples/native/rtbench $(B)/samples/rv64/rtbench
bench-rtcore: rtcore-check ## measure what limits an RT core, with plots (2 minutes)
	@B=$(B) ci/bench-rtcore
