#!/bin/sh
# Installs what the benchmarks compare with and is missing: Hugo through the Go
# module proxy and Eleventy from npm below the folder given, wrk from Debian.
# The servers come from internal/edge/config/install.sh.
#
#   sh internal/lab/bench/install.sh NODE FOLDER
set -eu
node=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)

# The newest that builds with the Go of this module.
hugo_version=v0.165.0

missing=
for pair in wrk:wrk taskset:util-linux findmnt:util-linux; do
	command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		echo "the benchmarks need these Debian packages:$missing; install them (apt-get install$missing) and try again" >&2
		exit 1
	fi
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of names
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing
fi

mkdir -p "$target/eleventy"
if [ "$(go version -m "$target/hugo" 2>/dev/null | awk '$1 == "mod" { print $3 }')" != "$hugo_version" ]; then
	echo "building Hugo, which takes some minutes once" >&2
	GOBIN="$target" go install "github.com/gohugoio/hugo@$hugo_version"
fi
if ! cmp -s "$here/eleventy/package-lock.json" "$target/eleventy/installed-lock.json"; then
	cp "$here/eleventy/package.json" "$here/eleventy/package-lock.json" "$target/eleventy/"
	# Scripts of packages are not run: Eleventy needs none of them.
	(cd "$target/eleventy" && PATH="$(dirname "$node"):$PATH" npm ci --ignore-scripts --no-fund --no-audit --loglevel=error)
	cp "$here/eleventy/package-lock.json" "$target/eleventy/installed-lock.json"
fi
