# Releases and their contents. `platforms` is part of `make test`, and `snapshot` of `make proof`,
# through `packages`.

.PHONY: platforms release snapshot reproducible vulnerabilities

GORELEASER := $(TOOLS)/bin/goreleaser-2.16.0

# Every system and every processor once: no source goes by both. A release builds all six.
PLATFORMS := linux/arm64 darwin/arm64 windows/amd64

# -trimpath as in a release, which then finds its packages compiled. A release also links them.
platforms: ## both programs compiled and vetted for every system and processor that releases are made for
	@for platform in $(PLATFORMS); do \
	  export GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0; \
	  go build -trimpath ./cmd/vitrine ./cmd/vitrined && \
	  go vet -trimpath $$(go list -deps ./cmd/vitrine ./cmd/vitrined | grep '^vitrine/') || { echo "not for $$platform"; exit 1; }; \
	  echo "$$platform: both programs compile and pass vet"; \
	done

# -p 1: its builds share the Go tool's cache and processors anyway.
release: $(GORELEASER) ## archives, packages, checksums and bills of materials of the tag that is checked out, in dist/
	$(GORELEASER) release --clean -p 1
	go run ./internal/lab/release/pack dist

snapshot: $(GORELEASER) ## what make release makes, of a commit without a tag
	$(GORELEASER) release --clean -p 1 --snapshot
	go run ./internal/lab/release/pack dist

reproducible: $(GORELEASER) ## snapshots made in two clones in two folders are equal
	@sh internal/lab/supply/reproducible.sh $(GORELEASER)

# v2.17 needs a module that the Go proxy did not have, v2.18 Go 1.27.
$(GORELEASER):
	GOBIN=$(TOOLS)/bin go install github.com/goreleaser/goreleaser/v2@v2.16.0
	mv $(TOOLS)/bin/goreleaser $@

vulnerabilities: ## query the Go vulnerability database; reports if it can't be reached
	@sh internal/lab/supply/vulnerabilities.sh $(TOOLS)
