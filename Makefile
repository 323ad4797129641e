# Set-up needs python3 (3.11 or newer), pip, make and git, and nothing else: Debian's `python3 -m venv` wants a package
# more and its pip refuses to install beside it, but `pip --target` fetches uv, and uv makes the environment from
# the hashed lock. uv itself is the one of bootstrap.lock, by its hash.

PYTHON ?= python3
UV_VERSION := $(shell sed -n 's/^uv==\([^ ]*\).*/\1/p' bootstrap.lock)
UV_HOME := .tools/uv-$(UV_VERSION)
UV := $(UV_HOME)/bin/uv
READY := .venv/.ready
ARGS ?=
SUITE ?= bookworm

export UV_PYTHON_DOWNLOADS := never
export UV_NO_PROGRESS := 1
# What builds a package that has no wheel is pinned as well.
export UV_BUILD_CONSTRAINT := requirements.lock
# The machine's own list of authorities, as Debian's pip uses it.
export UV_SYSTEM_CERTS ?= true
export VIRTUAL_ENV := $(CURDIR)/.venv
# The tests start hundreds of interpreters: without bytecode each would compile everything again.
unexport PYTHONDONTWRITEBYTECODE
# Journals are written through to the disk some ten thousand times: the tests' folders are in memory where it has room.
SHM_KIB := $(shell df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
TEMPORARY := $(or $(TMPDIR),$(if $(shell test "$(SHM_KIB)" -gt 2000000 2>/dev/null && echo yes),/dev/shm,/tmp))
# Debian keeps mosquitto out of the PATH of anyone but root.
export PATH := $(PATH):/usr/sbin:/sbin

.DEFAULT_GOAL := help
.PHONY: help generators run pit test quick fuzz test-tables test-console test-commands test-parts test-pit test-engine test-rules check law soak newcomer bench pages odds manual referee recordings screenshots lock format clean mosquitto chromium postgresql deb installed nft debootstrap image computer qemu

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(UV):
	@echo "fetching uv $(UV_VERSION)"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
		--target $(UV_HOME) --require-hashes --requirement bootstrap.lock

$(READY): requirements.lock pyproject.toml | $(UV)
	@echo "making .venv"
	@test -x .venv/bin/python || $(UV) venv --quiet --clear --python $(PYTHON) .venv
	@$(UV) pip sync --quiet --require-hashes requirements.lock
	@$(UV) pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

run: $(READY) ## a table on this machine, simulated; more with ARGS="…"
	@.venv/bin/dealer-station simulate $(ARGS)

pit: $(READY) mosquitto postgresql ## six simulated tables, their broker, a database, the pit and its page; more with ARGS="…"
	@.venv/bin/dealer-pit simulate --linked-hit $(ARGS)

# Whole tables, stations, the simulator, the browser, the pit and the commands mostly wait: several processes share each
# of them out, so that both cores are busy until the end, and they begin first. The others compute, each in one process,
# the longest first: several would each collect all the tests.
TABLES := tests/tables tests/station tests/simulators
ENGINE := tests/engine tests/config
RULES := tests/rounds tests/rulebook tests/journal tests/codecs
PIT := tests/pit tests/link tests/floor tests/disputes
COMMANDS := tests/benchmarks tests/commands tests/computer tests/kit tests/makes tests/package tests/recordings tests/watch tests/wire
PARTS := $(filter-out tests/console $(TABLES) $(ENGINE) $(RULES) $(PIT) $(COMMANDS) tests/soak,$(patsubst %/,%,$(sort $(dir $(wildcard tests/*/test_*.py)))))
PYTEST := .venv/bin/python -m pytest -q

test: $(READY) mosquitto chromium nft postgresql ## check, and every test but the soaks
ifeq ($(strip $(ARGS)),)
	@TMPDIR=$(TEMPORARY) $(MAKE) --no-print-directory --output-sync=target --jobs=5 \
		test-console test-tables test-pit check test-commands test-parts test-rules test-engine
else
	@$(PYTEST) $(ARGS)
endif

quick: $(READY) ## what to run after every change: check, rules, engine, journal, codecs, configuration
	@TMPDIR=$(TEMPORARY) $(MAKE) --no-print-directory --output-sync=target --jobs=2 \
		test-engine test-rules check SELECT='-m "not hypothesis and not long and not soak"'

# `tests/conftest.py` keeps those together that look at the same played rounds.
test-tables:
	@$(PYTEST) --numprocesses 3 --dist loadscope $(TABLES)

# The browser's tests hold a loop of their own in their thread: they run in processes of their own.
test-console:
	@$(PYTEST) --numprocesses 3 --dist loadfile tests/console

test-commands:
	@$(PYTEST) --numprocesses 2 --dist loadfile $(COMMANDS)

test-parts:
	@$(PYTEST) $(PARTS)

test-pit:
	@$(PYTEST) --numprocesses 4 --dist loadfile $(PIT)

test-engine:
	@$(PYTEST) $(SELECT) $(ENGINE)

test-rules:
	@$(PYTEST) $(SELECT) $(RULES)

check: $(READY) ## format, lint, types, the import table, the words of the pages
	@.venv/bin/ruff format --check --quiet . || { echo 'badly formatted: run "make format"' >&2; exit 1; }
	@.venv/bin/ruff check --quiet .
	@.venv/bin/oxlint --quiet --format unix --tsconfig .oxlint-served.json
	@.venv/bin/mypy --no-error-summary
	@.venv/bin/python -m tests.docs.words
	@.venv/bin/lint-imports >.venv/import-table.txt || { cat .venv/import-table.txt; exit 1; }
	@echo 'check: good'

law: $(READY) ## break every rule on purpose and see that its tests notice
	@.venv/bin/python -m tests.law.break_rules $(ARGS)

# The tests of a soak take minutes each and mostly wait: two at once, and the one that is done takes over from the other.
SPREAD = $(PYTEST) --numprocesses 2 --dist worksteal
soak: $(READY) mosquitto chromium ## the long tests, and ten times new examples for those that take any
	@$(SPREAD) -rP -o "norecursedirs=.* node_modules" tests/soak $(ARGS)
ifeq ($(strip $(ARGS)),)
	@for browser in screens presses screenshots; do \
		$(SPREAD) --timeout 1800 tests/console/soak_$$browser.py || exit 1; \
	done
	@$(SPREAD) -m soak --ignore=tests/console tests
	@$(PYTEST) -m soak tests/console
	@for turn in 1 2 3 4 5 6 7 8 9 10; do \
		$(SPREAD) -m hypothesis --hypothesis-profile explore --ignore=tests/console tests || exit 1; \
	done
	@$(MAKE) --no-print-directory installed
endif

# Coverage-guided, with a library of its own that no other target needs. What a run finds worth keeping joins the corpus.
TIME ?= 60
TARGETS ?= $(basename $(notdir $(wildcard tests/fuzz/corpus/*)))
FUZZ_HOME := .tools/fuzz
FUZZ := PATH=$(CURDIR)/.venv/bin:$$PATH PYTHONPATH=.:$(FUZZ_HOME) tests/fuzz/run.py

$(FUZZ_HOME): tests/fuzz/requirements.lock | $(UV)
	@$(UV) pip install --quiet --target $@ --require-hashes -r $<
	@touch $@

fuzz: $(READY) $(FUZZ_HOME) ## TIME=60 seconds of fuzzing for each of TARGETS: codecs, console, round files, configuration, MQTT
	@for target in $(TARGETS); do \
		kept=.fuzz/kept/$$target && rm -rf $$kept && mkdir -p .fuzz/$$target && echo "$$target" && \
		.venv/bin/python -m tests.fuzz.corpus unpack $$target $$kept && \
		FUZZ_TARGET=$$target $(FUZZ) -max_total_time=$(TIME) -timeout=20 -verbosity=0 -print_final_stats=1 \
			-artifact_prefix=.fuzz/$$target. .fuzz/$$target $$kept 2>.fuzz/$$target.log || \
			{ tail -n 40 .fuzz/$$target.log; echo "$$target: the input that does this is in .fuzz; see docs/contribute.md"; exit 1; }; \
		grep number_of_executed_units .fuzz/$$target.log; \
		FUZZ_TARGET=$$target $(FUZZ) -merge=1 -verbosity=0 $$kept .fuzz/$$target 2>/dev/null && \
			.venv/bin/python -m tests.fuzz.corpus add $$target $$kept/* || exit 1; \
	done

newcomer: ## `make run` and `make test` of HEAD, in a Debian 12 that has python3, pip, make and git alone (as root)
	@tests/newcomer/newcomer.sh

bench: $(READY) mosquitto chromium ## measure this machine: latency, console, start, backlog, memory, idle, engine, journal, archive, drain
	@.venv/bin/python -m tests.benchmarks all $(ARGS)

pages: $(READY) ## write the tables of docs/law and of the inputs, the alarms, the floor's messages and the access list, the budgets, the udev rules, from tests, broken rules and code
	@.venv/bin/python -m tests.law.page
	@.venv/bin/python -m tests.docs.who_may_do_what
	@.venv/bin/python -m tests.docs.written
	@.venv/bin/python -m tests.docs.connections
	@.venv/bin/python -m tests.docs.floor_messages
	@.venv/bin/python -m tests.docs.access

# By hand: node and npm are on no list of what the set-up needs.
GENERATORS := .tools/generators
$(GENERATORS): tests/generators/package-lock.json
	@command -v npm >/dev/null || { echo 'this needs npm: install it first ("apt-get install nodejs npm" as root)' >&2; exit 1; }
	@echo "fetching AsyncAPI's parser, Modelina, ajv and TypeScript"
	@mkdir -p $@ && cp tests/generators/package.json $< $@
	@cd $@ && npm ci --no-audit --no-fund --ignore-scripts --silent
	@touch $@

generators: $(READY) $(GENERATORS) ## what users do with the AsyncAPI document: validate it, generate models, read messages
	@.venv/bin/python -u -m tests.generators $(GENERATORS)

odds: $(READY) ## the odds that the statistics know, out of certify: some minutes where black-jack has to be played again
	@.venv/bin/python -m tests.certify.known_odds

manual: $(READY) ## man pages, and the completion of bash, zsh and fish, in dist/share
	@.venv/bin/python -m tests.docs.manual dist/share

referee: ## the referee as one file that Python runs, dist/referee.pyz
	@mkdir -p dist && $(PYTHON) -m tests.referee.archive dist/referee.pyz

recordings: $(READY) mosquitto ## record the wires of the tests again
	@.venv/bin/python -m tests.recordings.make $(ARGS)

screenshots: $(READY) mosquitto chromium ## every game's screens, in every language, at both sizes
	@.venv/bin/python -m tests.console.screenshots $(ARGS)

deb: | debootstrap ## the Debian package of HEAD for SUITE=bookworm, in dist (as root)
	@systemd/deb.sh $(SUITE)

installed: deb ## the package installed, played with under a real systemd, upgraded and removed, in roots of its own (as root)
	@tests/package/machine.sh $(SUITE)

# Emulated, so that it needs no /dev/kvm; it takes both cores for minutes. The disk has the package of HEAD.
COMPUTER := .tools/computer
COMPUTER_ACTS = .venv/bin/python -u -m tests.computer.acts $(COMPUTER)
computer: $(COMPUTER)/head ## a whole computer in an emulator: a kernel's own USB drivers, udev, systemd; ARGS="boot setup" (as root)
	@$(COMPUTER_ACTS) $(ARGS)

computer-cuts: $(COMPUTER)/head ## a hundred power cuts there, and what every flush of its disk leaves, which takes hours (as root)
	@$(COMPUTER_ACTS) boot setup hundred_cuts referee
	@$(COMPUTER_ACTS) boot logged setup replay

computer-hundreds: $(COMPUTER)/head ## two hundred rounds over every driver there, which takes hours (as root)
	@$(COMPUTER_ACTS) boot hundreds

.PHONY: $(COMPUTER)/head
$(COMPUTER)/head: $(READY) mosquitto qemu debootstrap chromium
	@head=$$(git log -1 --format=%H -- controller drivers simulators systemd pyproject.toml tests/computer/*.sh tests/computer/agent.py) && [ "$$(cat $@ 2>/dev/null)" = "$$head" ] || { \
		$(MAKE) --no-print-directory deb && tests/computer/disk.sh $(COMPUTER) && echo "$$head" >$@; }

image: deb ## an OCI image of the simulator, in dist (as root)
	@systemd/image.sh $(SUITE)

# What a table runs is a part of what was tested: the same versions. num2words needs docopt for a command of its own alone.
COMPILE = $(UV) pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-annotate
lock: | $(UV) ## pin every dependency again, with hashes
	@$(COMPILE) --upgrade --all-extras --group dev --output-file requirements.lock pyproject.toml
	@$(COMPILE) --upgrade --constraints requirements.lock --no-emit-package docopt \
		--output-file systemd/runtime.lock pyproject.toml
	@echo uv | $(COMPILE) --upgrade --output-file bootstrap.lock -

format: $(READY) ## format, and repair what can be repaired
	@.venv/bin/ruff check --quiet --fix-only .
	@.venv/bin/ruff format --quiet .

clean: ## remove what the set-up and the tests left
	@rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .fuzz dist
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

# The floor is tested against the broker it meets in production, the console in the browser of Debian, and the package in
# a root of Debian's.
# What is wanted is a command or a library; behind the colon, the package that has it. What drives the browser needs the
# library, and brings none.
mosquitto: needs = mosquitto:mosquitto
chromium: needs = chromium:chromium chromium-headless-shell:chromium-headless-shell libatomic.so.1:libatomic1
nft: needs = nft:nftables
# Debian keeps the programs of PostgreSQL itself out of the PATH.
postgresql: needs = pg_createcluster:postgresql
debootstrap: needs = debootstrap:debootstrap
qemu: needs = qemu-system-x86_64:qemu-system-x86 qemu-img:qemu-utils swtpm:swtpm mke2fs:e2fsprogs
mosquitto chromium nft postgresql debootstrap qemu:
	@lacking=; for need in $(needs); do \
		command -v "$${need%:*}" >/dev/null || ldconfig -p | grep -qF "$${need%:*} " || \
			lacking="$$lacking $${need#*:}"; \
	done; \
	[ -z "$$lacking" ] || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing$$lacking"; \
			apt-get update -qq >/dev/null && \
			DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$lacking >/dev/null; \
		else \
			echo "this needs$$lacking: install it first (\"apt-get install$$lacking\" as root)" >&2; exit 1; \
		fi; }
