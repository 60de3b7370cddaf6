# The proofs of the server: its short forms are Go tests, its long form is make
# soak. soak-tools is part of make tools.

SOAK_TOOLS := $(TOOLS)/bin/h2spec $(TOOLS)/bin/pebble $(TOOLS)/bin/pebble-challtestsrv

.PHONY: soak soak-server soak-build soak-tools

soak: soak-server soak-build ## load and faults for the server, and killed builds: some ten minutes

soak-server: ## the server alone: some five minutes (SOAK="-scale 10" for longer)
	go run ./internal/lab/soak/run $(SOAK)

soak-build: ## killed builds alone (FAULTS="-kills 5000" for longer)
	go run ./internal/lab/faults/run $(FAULTS)

soak-tools: $(SOAK_TOOLS)

# Their versions stand in a module of their own.
$(SOAK_TOOLS) &: internal/lab/soak/tools/go.mod
	mkdir -p $(TOOLS)/bin
	cd internal/lab/soak/tools && GOFLAGS=-mod=readonly go build -o $(TOOLS)/bin/ tool
	touch $(SOAK_TOOLS)
