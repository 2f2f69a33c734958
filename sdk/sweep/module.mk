# corbel-sweep: a command and its Python modules, laid out as installed.
SWEEP := $(B)/bin/corbel-sweep
SWEEP_MODULES := $(notdir $(wildcard sdk/sweep/*.py))
SWEEP_PYTHON := $(addprefix $(B)/lib/corbel/python/corbel_sweep/,$(SWEEP_MODULES))
$(SWEEP_PYTHON): $(B)/lib/corbel/python/corbel_sweep/%: sdk/sweep/%
	@mkdir -p $(@D)
	@install -m 644 $< $@
$(SWEEP): sdk/sweep/corbel-sweep $(SWEEP_PYTHON)
	@mkdir -p $(@D)
	@install -m 755 $< $@
.PHONY: sweep
sweep: $(SWEEP) $(B)/bin/sim-run ## build corbel-sweep, which runs many runs as one study
sim: $(SWEEP)

.PHONY: install-sweep
install: install-sweep
install-sweep: $(SWEEP)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/corbel/python/corbel_sweep
	@install -m 644 $(SWEEP_PYTHON) $(DESTDIR)$(PREFIX)/lib/corbel/python/corbel_sweep
	@install -m 755 $(SWEEP) $(DESTDIR)$(PREFIX)/bin
