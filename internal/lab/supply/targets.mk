# Releases and what they are made of. `platforms` is part of `make test`.

.PHONY: platforms release vulnerabilities

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

platforms: ## both programs built and vetted for every platform that releases are made for
	@for platform in $(PLATFORMS); do \
	  export GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0; \
	  go build -o /dev/null ./cmd/vitrine && go build -o /dev/null ./cmd/vitrined && \
	  go vet $$(go list -deps ./cmd/vitrine ./cmd/vitrined | grep '^vitrine/') || { echo "not for $$platform"; exit 1; }; \
	  echo "$$platform: both programs build and vet"; \
	done

release: ## VERSION=v1.2.3 makes a release of that tag in dist/
	go run ./internal/lab/supply/release --version "$(VERSION)"

vulnerabilities: ## ask the Go vulnerability database; says so where it cannot be reached
	@sh internal/lab/supply/vulnerabilities.sh $(TOOLS)
