.PHONY: uvm-study
uvm-study: $(B)/bin/sim-run $(B)/bin/corbel-scene $(B)/bin/corbel-rays sample-uvm $(B)/samples/rv64/replay ## study paging: prefetchers, eviction, zero-copy, scenes larger than memory (40 minutes of CPU time for kernels alone)
	@B=$(B) ci/studies/run paging
