# What is measured rather than tested.
.PHONY: bench-isa
bench-isa: $(B)/bin/sim-run $(B)/bin/corbel-scene \
           $(foreach t,native rv64 rv32,$(foreach s,records kernels floats path,$(B)/samples/$(t)/$(s))) ## measure simulated instructions a second (a few minutes)
	@B=$(B) ci/bench-isa
