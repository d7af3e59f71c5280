# Every task of this repository, starting from a fresh machine; `make help` lists them.

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = .build/release
FORMATTED = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Fuzz .ci
BUILD = $(SWIFT) build -c release --static-swift-stdlib

.DEFAULT_GOAL := help
.PHONY: help setup build run test mutate check sanitize format install bench soak fuzz clean

help: ## List the targets
	@echo 'usage: make TARGET'
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1 \2/p' $(MAKEFILE_LIST) | \
	  awk '{ name = $$1; $$1 = ""; printf "  %-9s%s\n", name, $$0 }'

setup: ## Install the system packages that are missing (Debian's apt-get)
	@bash .ci/setup

build: setup ## Build the release, into .build/release/
	$(BUILD)

run: build ## Search for the tags in tags.json on simulated networks, and print the posts
	@bash .ci/with-simulator $(RELEASE) $(RELEASE)/searchagg run

test: setup ## Run all tests
	@SWIFT='$(SWIFT)' bash .ci/test

mutate: setup ## Put small faults into the code, and name those that no test notices (ONLY=TARGET)
	@SWIFT='$(SWIFT)' .ci/mutate $(ONLY)

check: setup ## Lint the format, and build with warnings as errors and every import declared
	$(SWIFT) format lint --strict --recursive $(FORMATTED)
	$(SWIFT) build --build-tests --scratch-path .build-check -Xswiftc -warnings-as-errors \
	  --explicit-target-dependency-import-check error

sanitize: setup ## Run all tests under the address sanitizer, and under the thread sanitizer
	@SWIFT='$(SWIFT)' bash .ci/sanitize address
	@SWIFT='$(SWIFT)' bash .ci/sanitize thread

format: ## Format the sources in place
	$(SWIFT) format --in-place --recursive $(FORMATTED)

install: build ## Install searchagg to PREFIX/bin (/usr/local unless given)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(RELEASE)/searchagg $(DESTDIR)$(PREFIX)/bin/searchagg

bench: build ## Measure where a run spends its time, beside Foundation's JSONDecoder and AsyncHTTPClient
	@$(RELEASE)/searchagg-bench
	@echo
	@$(RELEASE)/searchagg-bench history
	@echo
	@SWIFT='$(SWIFT)' bash Benchmarks/run cancel
	@echo
	@SWIFT='$(SWIFT)' bash Benchmarks/run throughput

soak: build ## Send 200,000 requests with random faults, signal 500 runs and kill 500; nothing may leak or get lost
	@SWIFT='$(SWIFT)' bash Benchmarks/run soak
	NOTHING_LOST_SEEDS=50 $(SWIFT) test --filter NothingLostTests
	KILLED_RUNS=500 $(SWIFT) test --filter NewPostsTests
	@bash .ci/with-simulator $(RELEASE) bash .ci/soak-signals $(CURDIR)/$(RELEASE)/searchagg

fuzz: setup ## Fuzz everything that reads untrusted input, FUZZ_SECONDS (600) each
	@SWIFT='$(SWIFT)' bash Fuzz/run

clean: ## Remove build products
	rm -rf .build .build-* Benchmarks/.build
