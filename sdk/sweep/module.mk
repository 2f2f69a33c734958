# corbel-sweep: a command and its Python modules, laid out as installed.
SWEEP := $(B)/bin/corbel-sweep
SWEEP_MODULES := $(filter-out corbel.py,$(notdir $(wildcard sdk/sweep/*.py)))
SWEEP_PYTHON := $(addprefix $(B)/lib/corbel/python/corbel_sweep/,$(SWEEP_MODULES))
$(SWEEP_PYTHON): $(B)/lib/corbel/python/corbel_sweep/%: sdk/sweep/%
	@mkdir -p $(@D)
	@install -m 644 $< $@
# What notebooks import.
SWEEP_FRAMES := $(B)/lib/corbel/python/corbel.py
$(SWEEP_FRAMES): sdk/sweep/corbel.py
	@mkdir -p $(@D)
	@install -m 644 $< $@
$(SWEEP): sdk/sweep/corbel-sweep $(SWEEP_PYTHON) $(SWEEP_FRAMES)
	@mkdir -p $(@D)
	@install -m 755 $< $@
.PHONY: sweep
sweep: $(SWEEP) $(B)/bin/sim-run ## build corbel-sweep, which runs many runs as one study
sim: $(SWEEP)

.PHONY: install-sweep
install: install-sweep
install-sweep: $(SWEEP)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/corbel/python/corbel_sweep
	@install -m 644 $(SWEEP_FRAMES) $(DESTDIR)$(PREFIX)/lib/corbel/python
	@install -m 644 $(SWEEP_PYTHON) $(DESTDIR)$(PREFIX)/lib/corbel/python/corbel_sweep
	@install -m 755 $(SWEEP) $(DESTDIR)$(PREFIX)/bin

# The frame of its page: that of sim-report, with its tables.
SWEEP_FRAME := $(addprefix $(B)/share/corbel/sweep/,begin.html end.html)
SWEEP_SCRIPTS := $(addprefix sim/report/page/,basics.js table.js) sdk/sweep/page.js
$(B)/share/corbel/sweep/begin.html: $(B)/obj/sim/report/page/begin.html
	@mkdir -p $(@D)
	@sed 's|<title>sim-report|<title>corbel-sweep|' $< >$@
$(B)/share/corbel/sweep/end.html: $(SWEEP_SCRIPTS)
	@mkdir -p $(@D)
	@{ printf '</script>\n<script>\n"use strict";\n'; cat $^; \
	  printf '</script>\n</body>\n</html>\n'; } >$@
$(SWEEP): $(SWEEP_FRAME)
install-sweep: install-sweep-frame
.PHONY: install-sweep-frame
install-sweep-frame: $(SWEEP_FRAME)
	@mkdir -p $(DESTDIR)$(PREFIX)/share/corbel/sweep
	@install -m 644 $(SWEEP_FRAME) $(DESTDIR)$(PREFIX)/share/corbel/sweep
