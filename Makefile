# Corbel: one entry. `make help` lists the targets.
#
# Each folder that deviates from the pattern has a module.mk; everything else
# follows from wildcards: a host program or library is the .c files of its
# folders, any NAME_test.c is a test program of its own.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash

B ?= build
# make cannot name files with blanks, and configure, of which the toolchain has
# many, refuses most of the others.
HASH := \#
UNSAFE := : ; ' " ` \ & % = , ( ) < > | * ? [ ] { } ! $$ $(HASH)
ifneq ($(strip $(words $(CURDIR)) $(words $(B)) $(foreach c,$(UNSAFE),$(findstring $c,$(CURDIR)$(B)))),1 1)
$(error "$(CURDIR)", B="$(B)": expected paths without blanks and any of $(UNSAFE))
endif

CC = gcc
CXX = g++
AR = ar
OPT ?= -O2
# Contraction is off everywhere: the same bits on host and target. Rows of
# tables leave out last fields that are 0, of which clang would warn.
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
       -Wmissing-prototypes -Wvla -Wno-unused-parameter \
       -Wno-missing-field-initializers
CFLAGS_ALL = -std=c17 -D_GNU_SOURCE $(OPT) -g -fno-common -ffp-contract=off \
             -pthread -MMD -MP $(WARN) -I. -Iruntime/include $(CFLAGS)
CXXFLAGS_ALL = -std=c++17 $(OPT) -g -ffp-contract=off -pthread -MMD -MP \
               -Wall -Wextra -I. -Iruntime/include $(CXXFLAGS)

# In a tree that cannot be written, whatever builds says what to do instead.
READS := help format-check print-unit-tests print-warnings
ifneq ($(filter-out $(READS),$(MAKECMDGOALS)),)
ifneq ($(shell d=$(B); while [ ! -e "$$d" ]; do d=$$(dirname "$$d"); done; [ -w "$$d" ] || echo no),)
$(error $(B) cannot be written: expected a folder that can be, as with B=/var/tmp/corbel)
endif
endif

PROGRAMS := $(addprefix $(B)/bin/,sim-run sim-run-stalls corbel-scene corbel-rays)

# What every tool of the host has: beginning, files that it reads and writes.
WHOLE_SRC := $(filter-out %_test.c,$(wildcard sdk/whole/*.c))

include $(sort $(wildcard */module.mk */*/module.mk sim/*/*/module.mk))

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -c -o $@ $<

$(B)/obj/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -c -o $@ $<

# ---- what people call ----

JOBS := -j$(shell nproc)

.PHONY: help setup all sim demo test unit-tests \
        format format-check clean distclean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort -u | \
	    awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

setup: ## install the Debian packages that Corbel needs (says which)
	@ci/setup

sim: $(PROGRAMS) ## build the simulator and the scene tool

all: sim samples ## build everything: tools, toolchain, samples

demo: ## render the arcade natively and on a simulated RTX 2080
	@ci/setup build
	@B=$(B) ci/demo

test: ## install what is needed, build everything, run all tests
	@ci/setup
	@ci/test

unit-tests: $(UNIT_TESTS) ## build the unit tests

.PHONY: print-warnings
print-warnings:
	@echo $(WARN)

.PHONY: print-unit-tests
print-unit-tests:
	@echo $(UNIT_TESTS)

format: ## format the C and C++ files
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

format-check: ## are all files formatted?
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format --dry-run --Werror

clean: ## remove everything that was built, except the toolchain
	@find $(B) -mindepth 1 -maxdepth 1 ! -name toolchain -exec rm -rf {} + 2>/dev/null || true

distclean: ## remove everything that was built
	rm -rf $(B)

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
