# All commands of the project. `make test` needs Go and Node.js with npm; `make proof` needs more, and installs it.
# Downloads go in .tools/, which git ignores.

MAKEFLAGS += --no-print-directory

TOOLS      := $(CURDIR)/.tools
STATIC     := $(TOOLS)/bin/staticcheck-0.8.2
ACTIONLINT := $(TOOLS)/bin/actionlint-1.7.12
NODE22     := $(TOOLS)/node22/bin/node
NODE24     := $(TOOLS)/node24/bin/node
# A program with its Debian packages, including a font for its pages; see internal/lab/rig/install.sh.
CHROMIUM   := chromium:chromium,fonts-liberation

.PHONY: help test proof proofs proof-tools tools build serve docs references lint suite search-size race cli fuzz fuzz-keep clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

# go test runs last, so that the last lines of the output are its lines.
test: tools ## everything that needs only Go and Node.js with npm: five minutes on two cores
	$(MAKE) -j2 --output-sync=target lint platforms cli
	go test $(PACKAGES) -timeout 20m ./...

# Browsers and editors wait more than they compute, so two of their targets run at the same time. Install their tools
# first.
proof: tools proof-tools ## everything else: browsers, servers, platforms, packages, the race detector, long runs
	$(MAKE) -j2 --output-sync=target audit-fast preview edge-types schemas lsp
	$(MAKE) -j2 --output-sync=target packages race
	$(MAKE) proofs

tools: $(NODE22) $(NODE24) ## install the Node.js versions that go test ./... and the tool's tests run

proof-tools: host-tools soak-tools storage-tools audit-install schemas-install edge-tools package-tools ## install what make proof needs; Debian packages as root

# The tests in files *_proof_test.go, by name: make test runs the others.
PROOFS = $(shell find cmd internal -name '*_proof_test.go')

proofs: tools proof-tools ## the Go tests of make proof
	go test -tags proof $(PACKAGES) -timeout 30m \
	  -run "^($$(sed -n 's/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p' $(PROOFS) | paste -sd '|' -))\$$" $(sort $(dir $(addprefix ./,$(PROOFS))))

build: ## build the sample site into build/
	go run ./cmd/vitrine build

serve: ## build the sample site and serve it
	go run ./cmd/vitrine serve

# Copy the folder, because a site can't read files outside its folder.
docs: ## build our documentation, a Vitrine site, into .tools/docs/build
	@rm -rf $(TOOLS)/docs/content
	@mkdir -p $(TOOLS)/docs
	@cp -R docs $(TOOLS)/docs/content
	go run ./cmd/vitrine check --root $(TOOLS)/docs
	go run ./cmd/vitrine build --root $(TOOLS)/docs

references: ## regenerate docs/reference from the program
	go test -count=1 -run '^TestTemplatesPage$$' ./internal/render/theme -update
	go test -count=1 -run '^TestReferences$$' -v ./internal/lab/docs -update

# All build tags of the project, so that no file is skipped.
TAGS := proof,power,packages,cachetests

lint: $(STATIC) $(ACTIONLINT) ## formatting, go vet, staticcheck, actionlint
	@unformatted="$$(gofmt -l cmd internal templates)"; \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	go mod verify
	go mod tidy -diff
	go vet -tags $(TAGS) ./...
	$(STATIC) -tags $(TAGS) ./...
	$(ACTIONLINT)

suite: host-tools ## the contract on every server that runs here, one line per server
	@go test -tags proof -count=1 -v -run '^TestContract' ./cmd/vitrine ./cmd/vitrined ./internal/edge/config >$(TOOLS)/suite.log || { cat $(TOOLS)/suite.log; exit 1; }
	@sed -n 's/^ *[a-z_]*\.go:[0-9]*: \(.* exact, .*\)/\1/p' $(TOOLS)/suite.log

search-size: tools ## the download size of a search among 10,000 pages, for text of every kind
	VITRINE_SEARCH_SIZE=all go test -tags proof -count=1 -run '^TestSearchDownloadSize$$' ./internal/search

# The race detector finds nothing in sequential tests, and they take ten times as long with it. Skip the scripts, the
# contract, random strings, and the differential tests of the parsers. In each build, many workers create pages,
# Markdown, and cards, so a few build tests are enough. Most tests of vitrined run a program without the detector.
RACE := ./cmd/vitrine $(addprefix ./internal/,cache folder load ordered preview publish serve/...)

# Test one package more than there are processors at the same time, because some packages wait for minutes.
PACKAGES := -p $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

race: tools ## concurrent code, under the race detector
	go test $(PACKAGES) -race -timeout 20m -skip '^Test(Scripts|Contract|Limits|Random|EnginesAgree|Hostile|Smuggling|PathForms|OtherForms|References)' $(RACE) ./internal/lsp
	go test -race -timeout 20m -run '^Test(WarmEqualsCold|WarmCheckEqualsCold|LiveEqualsCheck|DamagedRecords)$$' ./internal/build
	go test -race -timeout 20m -run 'Log|Audience|Damaged' ./cmd/vitrined

cli: $(NODE22) $(NODE24) ## the command-line tool's type check and tests
	sh internal/lab/cli/run.sh $(NODE22) $(NODE24)

FUZZTIME ?= 60s

# By default, Go spends up to a minute on minimizing each input that reaches new code. If coverage depends on pools and
# maps, that leaves no time for fuzzing.
fuzz: ## every fuzz target for a minute each (FUZZTIME=10m for longer)
	@for package in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || exit 1; \
	  done; \
	done

fuzz-keep: ## after make fuzz: keep some of its inputs, for every go test
	@sh internal/lab/faults/keep.sh $(TARGETS)

include internal/edge/config/targets.mk
include internal/lab/audit/targets.mk
include internal/edge/targets.mk
include internal/schema/targets.mk
include internal/lab/soak/targets.mk
include internal/lab/storage/targets.mk
include internal/lab/supply/targets.mk
include internal/lab/release/targets.mk
include internal/lab/manifests/targets.mk
include internal/lab/windows/targets.mk
include internal/lab/bench/targets.mk
include internal/preview/targets.mk
include internal/lab/lsp/targets.mk

clean: ## remove the build and the tools
	rm -rf .tools
	find build -mindepth 1 ! -name .gitkeep -delete

$(STATIC):
	GOBIN=$(TOOLS)/bin go install honnef.co/go/tools/cmd/staticcheck@v0.8.2
	mv $(TOOLS)/bin/staticcheck $@

$(ACTIONLINT):
	GOBIN=$(TOOLS)/bin go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
	mv $(TOOLS)/bin/actionlint $@

# npm has a Node.js package for each system. It installs without a script.
$(TOOLS)/node%/bin/node:
	@system="$$(node -p 'process.platform + "-" + process.arch')" && \
	npm install --prefix $(TOOLS)/node$* --ignore-scripts --no-fund --no-audit "node-$$system@$*" && \
	ln -sfn "node_modules/node-$$system/bin" $(TOOLS)/node$*/bin
