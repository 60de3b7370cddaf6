# Releases and their contents. `platforms` is part of `make test`. `snapshot` is part of `make proof`, which runs it for
# `packages`.

.PHONY: platforms release snapshot reproducible vulnerabilities

GORELEASER := $(TOOLS)/bin/goreleaser-2.16.0

# These platforms include every system and every processor, which is enough because no source file depends on both. A
# release builds all six combinations.
PLATFORMS := linux/arm64 darwin/arm64 windows/amd64

# -trimpath is the same as in a release, which can therefore reuse the compiled packages.
platforms: ## compile and vet both programs for every system and processor with releases
	@for platform in $(PLATFORMS); do \
	  export GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0; \
	  go build -trimpath ./cmd/vitrine ./cmd/vitrined && \
	  go vet -trimpath $$(go list -deps ./cmd/vitrine ./cmd/vitrined | grep '^vitrine/') || { echo "failed for $$platform"; exit 1; }; \
	  echo "$$platform: both programs compile and pass vet"; \
	done

# -p 1 runs one build at a time, because each uses all processors.
release: $(GORELEASER) ## archives, packages, checksums, and bills of materials of the checked-out tag, in dist/
	$(GORELEASER) release --clean -p 1
	go run ./internal/lab/release/pack dist

snapshot: $(GORELEASER) ## the same as make release for a commit without a tag
	$(GORELEASER) release --clean -p 1 --snapshot
	go run ./internal/lab/release/pack dist

reproducible: $(GORELEASER) ## check that snapshots from two clones in two folders are identical
	@sh internal/lab/supply/reproducible.sh $(GORELEASER)

# v2.17 needs a module that the Go proxy didn't have, and v2.18 needs Go 1.27.
$(GORELEASER):
	GOBIN=$(TOOLS)/bin go install github.com/goreleaser/goreleaser/v2@v2.16.0
	mv $(TOOLS)/bin/goreleaser $@

vulnerabilities: ## query the Go vulnerability database; reports if it can't be reached
	@sh internal/lab/supply/vulnerabilities.sh $(TOOLS)
