# sim-report and sim-diff: what --outdir holds, for people.
REPORT_SRC := $(filter-out %_test.c sim/report/main_%.c,$(wildcard sim/report/*.c))
REPORT_LIB := $(B)/lib/libreport.a
$(REPORT_LIB): $(REPORT_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# The page around the data: its begin, with the style, and its end, with the scripts.
# These are parts of one script in this order, after the library of charts; sections of the
# page have that of the files that push them on pageParts (table.js).
REPORT_PAGE := sim/report/page
REPORT_OUT := $(B)/obj/sim/report/page
REPORT_CHARTS := /usr/share/javascript/chart.js/chart.min.js
REPORT_SCRIPTS := $(patsubst %,$(REPORT_PAGE)/%.js,basics looks model part table summary verdict \
    figures stacks trips energy pixels chip series chart choose heat unitmap spread source compare log live start)
$(REPORT_OUT)/begin.html: $(REPORT_PAGE)/head.html $(REPORT_PAGE)/style.css $(REPORT_PAGE)/body.html
	@mkdir -p $(@D)
	{ cat $(REPORT_PAGE)/head.html; echo '<style>'; cat $(REPORT_PAGE)/style.css; \
	  echo '</style>'; cat $(REPORT_PAGE)/body.html; } >$@
$(REPORT_OUT)/end.html: $(REPORT_CHARTS) $(REPORT_SCRIPTS)
	@mkdir -p $(@D)
	@! grep -il '</script' $^
	{ printf '</script>\n<script>\n'; cat $(REPORT_CHARTS); \
	  printf '\n</script>\n<script>\n"use strict";\n'; cat $(REPORT_SCRIPTS); \
	  printf '</script>\n</body>\n</html>\n'; } >$@
# The begin of the page that sim-run --serve shows: it may ask where it came from.
$(REPORT_OUT)/live.html: $(REPORT_OUT)/begin.html
	sed "s/default-src 'none';/& connect-src 'self';/" $< >$@
	@grep -q connect-src $@
# Their bytes, between symbols that ld names after the files.
$(REPORT_OUT)/bytes.o: $(patsubst %,$(REPORT_OUT)/%.html,begin live end)
	cd $(@D) && ld -r -b binary -z noexecstack -o bytes.o begin.html live.html end.html

REPORT_LIBS := $(REPORT_LIB) $(B)/lib/libverdict.a $(B)/lib/libcore.a
REPORT_TESTS := $(patsubst sim/%.c,$(B)/tests/%,$(wildcard sim/report/*_test.c))
$(REPORT_TESTS): $(B)/tests/%: $(B)/obj/sim/%.o $(REPORT_LIBS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lcjson -lz -lm $(LDFLAGS)
UNIT_TESTS += $(REPORT_TESTS)
$(B)/bin/sim-report: $(B)/obj/sim/report/main_report.o $(REPORT_OUT)/bytes.o
$(B)/bin/sim-diff: $(B)/obj/sim/report/main_diff.o
$(B)/bin/sim-report $(B)/bin/sim-diff: $(REPORT_LIBS) $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $(filter %.o,$^) $(REPORT_LIBS) -lcjson -lz -lm $(LDFLAGS)

.PHONY: report
report: $(B)/bin/sim-report $(B)/bin/sim-diff ## build what shows and compares runs
sim: $(B)/bin/sim-report $(B)/bin/sim-diff

# JSON Schemas of the files of a run, from the rules by which they are read.
SCHEMAS := $(patsubst %,$(B)/share/corbel/schema/%.schema.json,stats profile pixels)
$(SCHEMAS): $(B)/share/corbel/schema/%.schema.json: $(B)/bin/sim-report
	@mkdir -p $(@D)
	$(B)/bin/sim-report --schema $* >$@.new
	@mv $@.new $@
.PHONY: schemas
schemas: $(SCHEMAS) ## make JSON Schemas of what sim-run writes
sim: $(SCHEMAS)

# Tables of energy and area, for --energy.
ENERGY_TABLES := $(patsubst sim/report/tables/%,$(B)/share/corbel/energy/%,$(wildcard sim/report/tables/*.csv))
$(ENERGY_TABLES): $(B)/share/corbel/energy/%: sim/report/tables/%
	@mkdir -p $(@D)
	@cp $< $@
report sim: $(ENERGY_TABLES)

.PHONY: install-report
install: install-report
install-report: $(B)/bin/sim-report $(B)/bin/sim-diff $(SCHEMAS) $(ENERGY_TABLES)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/corbel/schema
	@install -d $(DESTDIR)$(PREFIX)/share/corbel/energy
	@install -m 644 $(SCHEMAS) $(DESTDIR)$(PREFIX)/share/corbel/schema
	@install -m 644 $(ENERGY_TABLES) $(DESTDIR)$(PREFIX)/share/corbel/energy
	@install -m 755 $(B)/bin/sim-report $(B)/bin/sim-diff $(DESTDIR)$(PREFIX)/bin
