# Long tests of the server and of builds under faults. make proof runs short forms of them.

SOAK_TOOLS := $(TOOLS)/bin/h2spec $(TOOLS)/bin/pebble $(TOOLS)/bin/pebble-challtestsrv

.PHONY: soak soak-server soak-floods soak-build soak-power soak-tools

soak: soak-server soak-build soak-power ## load and faults for the server, killed builds, loss of power: about fifteen minutes

soak-server: ## only the server: about five minutes (SOAK="-scale 10" for longer)
	go run ./internal/lab/soak/run $(SOAK)

# Needs an idle machine. It prints a line per flood, with the server's processor use and another client's 99th percentile.
soak-floods: ## measure the cost of each HTTP/2 flood to the server and another client: two minutes (FLOODTIME=10s for longer)
	go test ./internal/serve/http2 -run '^$$' -bench '^BenchmarkFloods$$' -benchtime $(FLOODTIME)

FLOODTIME ?= 3s

STOPS ?= 200

EDITS ?= 250

soak-build: ## killed builds, stopped cold builds, and builds after EDITS edits of two sites (FAULTS="-kills 5000" and STOPS=1000 for longer)
	go run ./internal/lab/faults/run $(FAULTS)
	go test -tags proof -count=1 -timeout 120m -run '^TestWarmEqualsColdAtLength$$' ./internal/build -edits $(EDITS)
	go run ./internal/lab/faults/run -stops $(STOPS)

POWER ?= 200

soak-power: ## copies of a disk at many moments of a build; as root (POWER=1000 for more)
	go test -tags proof,power -count=1 -timeout 60m -run TestPowerLossOfDisk -v ./internal/lab/faults -copies $(POWER)

soak-tools: $(SOAK_TOOLS)

# The module internal/lab/soak/tools selects the versions.
$(SOAK_TOOLS) &: internal/lab/soak/tools/go.mod
	mkdir -p $(TOOLS)/bin
	cd internal/lab/soak/tools && GOFLAGS=-mod=readonly go build -o $(TOOLS)/bin/ tool
	touch $(SOAK_TOOLS)
