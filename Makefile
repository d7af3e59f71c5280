# Every task of this repository, starting from a fresh machine; `make help` lists them.

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = .build/release
FORMATTED = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Fuzz .ci
INSTALLED = $(DESTDIR)$(PREFIX)
MAN = $(INSTALLED)/share/man/man1
BASH_COMPLETIONS = $(INSTALLED)/share/bash-completion/completions
ZSH_COMPLETIONS = $(INSTALLED)/share/zsh/site-functions
FISH_COMPLETIONS = $(INSTALLED)/share/fish/vendor_completions.d
# A package has the shared library that other systems lack in lib/searchagg, beside bin. The static runtime
# makes the program export all its symbols, through which the loader would look for those of every library.
# Types are made by calls that the compiler writes: looking them up by their names takes a fifth of a start.
BUILD = $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xlinker --no-export-dynamic -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/searchagg'

.DEFAULT_GOAL := help
.PHONY: help setup build run play test mutate check sanitize format install uninstall package check-package check-formats check-terminal pictures \
  bench instructions thresholds soak fuzz nightly clean

help: ## List the targets
	@echo 'usage: make TARGET'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 \2/p' $(MAKEFILE_LIST) | \
	  awk '{ name = $$1; $$1 = ""; printf "  %-15s%s\n", name, $$0 }'

setup: ## Install the system packages that are missing (Debian's apt-get)
	@bash .ci/setup

build: setup ## Build the release, into .build/release/
	$(BUILD)

run: build ## Search for the tags in tags.json on simulated networks, and print the posts
	@bash .ci/with-simulator $(RELEASE) $(RELEASE)/searchagg run

play: build ## Open a shell in which searchagg searches simulated networks
	@bash .ci/with-simulator $(RELEASE) .ci/play $(RELEASE)

test: setup ## Run all tests (TEST_OPTIONS: further options of swift test)
	@SWIFT='$(SWIFT)' bash .ci/test $(TEST_OPTIONS)

mutate: setup ## Put small faults into the code, and name those that no test notices (ONLY=TARGET)
	@SWIFT='$(SWIFT)' .ci/mutate $(ONLY)

check: setup ## Lint the format, and build with warnings as errors and every import declared (BUILD_OPTIONS: for swift build)
	$(SWIFT) format lint --strict --recursive $(FORMATTED)
	$(SWIFT) build --build-tests --disable-xctest $(BUILD_OPTIONS) -Xswiftc -index-ignore-system-modules \
	  -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

sanitize: setup ## Run the tests of concurrent and unsafe code under the sanitizers
	@SWIFT='$(SWIFT)' bash .ci/sanitize address
	@SWIFT='$(SWIFT)' bash .ci/sanitize thread

format: ## Format the sources in place
	$(SWIFT) format --in-place --recursive $(FORMATTED)

install: ## Install the program without symbols, its man page and completions to PREFIX (/usr/local)
	@[ -x $(RELEASE)/searchagg ] || { echo "make install: no release build; run 'make build' first" >&2; exit 2; }
	install -d $(INSTALLED)/bin $(MAN) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)
	install -s -m 755 $(RELEASE)/searchagg $(INSTALLED)/bin/searchagg
	$(RELEASE)/searchagg manual > $(MAN)/searchagg.1
	$(RELEASE)/searchagg completion bash > $(BASH_COMPLETIONS)/searchagg
	$(RELEASE)/searchagg completion zsh > $(ZSH_COMPLETIONS)/_searchagg
	$(RELEASE)/searchagg completion fish > $(FISH_COMPLETIONS)/searchagg.fish

uninstall: ## Remove what install has put there
	rm -f $(INSTALLED)/bin/searchagg $(MAN)/searchagg.1 $(BASH_COMPLETIONS)/searchagg \
	  $(ZSH_COMPLETIONS)/_searchagg $(FISH_COMPLETIONS)/searchagg.fish

package: build ## Build a Debian package and an archive of the release, into .build/package/
	@packaging/build deb
	@packaging/build archive

check-package: package ## Install the Debian package in empty systems, and run it there (needs root, debootstrap, lintian)
	@bash .ci/with-simulator $(RELEASE) packaging/check-deb .build/package/*.deb

check-formats: build ## Read every output format with other people's programs (installs chromium)
	@bash .ci/formats $(RELEASE)

check-terminal: build ## Watch runs on terminals of several widths (installs tmux and less)
	@python=$$(bash .ci/readers tmux less) && \
	  bash .ci/with-simulator $(RELEASE) "$$python" .ci/watch-terminal $(RELEASE)/searchagg

pictures: build ## Make the pictures of the README from simulated networks (needs chromium and Python's rich)
	@bash .ci/with-simulator $(RELEASE) .ci/pictures $(RELEASE)/searchagg docs/pictures

bench: build ## Measure runs beside C++, curl and Python (BENCHMARKS.md), and where their time goes
	@bash Benchmarks/compare $(RELEASE)
	@echo
	@$(RELEASE)/searchagg-bench
	@$(RELEASE)/searchagg-bench formats
	@$(RELEASE)/searchagg-bench start
	@echo
	@$(RELEASE)/searchagg-bench history
	@echo
	@bash Benchmarks/tags $(RELEASE) 15 1000 10000
	@echo
	@bash .ci/with-simulator $(RELEASE) bash .ci/bench-signals $(CURDIR)/$(RELEASE)/searchagg
	@echo
	@SWIFT='$(SWIFT)' bash Benchmarks/run cancel
	@echo
	@SWIFT='$(SWIFT)' bash Benchmarks/run throughput

instructions: build ## Count the instructions of small runs against the thresholds (installs valgrind)
	@bash .ci/readers valgrind > /dev/null
	@SWIFT='$(SWIFT)' .ci/instructions $(RELEASE)

thresholds: build ## Count them, and make the figures the new thresholds (REASON: why one has risen)
	@bash .ci/readers valgrind > /dev/null
	@SWIFT='$(SWIFT)' .ci/instructions $(RELEASE) --renew $(if $(REASON),--reason '$(REASON)')

soak: build ## Send 200,000 requests with random faults, signal 500 runs, kill 500 and watch a day; nothing may leak or get lost
	@SWIFT='$(SWIFT)' bash Benchmarks/run soak
	CUT_RESPONSES=10000 MEASURED_BOMBS=1 $(SWIFT) test --filter 'WholeResponseTests|BombTests'
	NOTHING_LOST_SEEDS=50 $(SWIFT) test --filter 'NothingLostTests|AnnouncedPagesTests'
	DRAINED_SEQUENCES=500 $(SWIFT) test --filter DrainedTests
	RANDOM_RECORDINGS=200 $(SWIFT) test --filter RandomRecordingTests
	KILLED_RUNS=500 $(SWIFT) test --filter 'NewPostsTests|EndToEndTests.DeliveryTests|EndToEndTests.HistoryTests'
	WATCHED_HOURS=24 $(SWIFT) test --filter WatchDayTests
	WORKER_FAULTS=400 $(SWIFT) test --filter SharedWatchFaultTests
	@bash .ci/with-simulator $(RELEASE) bash .ci/soak-signals $(CURDIR)/$(RELEASE)/searchagg

fuzz: setup ## Fuzz everything that reads untrusted input, FUZZ_SECONDS (600) each
	@SWIFT='$(SWIFT)' bash Fuzz/run

nightly: ## Run what takes too long for each change: all tests under the sanitizers, mutate, fuzz, soak
	@SWIFT='$(SWIFT)' bash .ci/sanitize address all
	@SWIFT='$(SWIFT)' bash .ci/sanitize thread all
	@$(MAKE) mutate
	@$(MAKE) fuzz FUZZ_SECONDS=$${FUZZ_SECONDS:-600}
	@$(MAKE) soak

clean: ## Remove build products
	rm -rf .build .build-* Benchmarks/.build
