#!/bin/sh
# Installs the benchmarks' missing peers: Hugo through the Go module proxy, Eleventy and pagefind from npm
# into the given folder, and wrk, h2load, and h2o from Debian. The servers come from
# internal/edge/config/install.sh.
#
#   sh internal/lab/bench/install.sh NODE FOLDER
set -eu
node=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)

# The newest version that builds with this module's Go.
hugo_version=v0.165.0

sh "$here/../rig/install.sh" "$node" "$here/eleventy" "$target/eleventy" "wrk:wrk h2load:nghttp2-client h2o:h2o taskset:util-linux findmnt:util-linux"
if [ "$(go version -m "$target/hugo" 2>/dev/null | awk '$1 == "mod" { print $3 }')" != "$hugo_version" ]; then
	echo "building Hugo, which takes some minutes once" >&2
	GOBIN="$target" go install "github.com/gohugoio/hugo@$hugo_version"
fi
