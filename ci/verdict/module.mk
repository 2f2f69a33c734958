.PHONY: verdict-study
verdict-study: $(B)/bin/sim-run-stalls $(B)/bin/corbel-scene $(B)/bin/corbel-rays $(patsubst %,$(B)/samples/rv64/%,path ao primary replay) ## compare what verdicts predict with what changes gain (some minutes)
	@B=$(B) ci/studies/run verdict
