# Packages of a release for npm, dpkg, rpm, Homebrew, and GitHub.
.PHONY: packages package-tools

packages: snapshot package-tools $(NODE22) $(ACTIONLINT) ## build a snapshot, and install and test each of its packages as far as this machine allows
	VITRINE_NODE=$(NODE22) go test -count=1 -v -timeout 20m -tags packages ./internal/lab/release

# Third-party programs read the packages.
package-tools:
	@for pair in rpm:rpm rpm2cpio:rpm2cpio cpio:cpio ruby:ruby skopeo:skopeo umoci:umoci systemd-analyze:systemd; do \
	  command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; done; \
	if [ -n "$$missing" ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; fi
