#!/bin/sh
# Installs the missing tools of the benchmarks: into the given folder, Hugo through the Go module proxy, and Eleventy,
# pagefind, and sharp from npm; and from Debian, wrk, h2load, h2o, taskset, findmnt, and ImageMagick.
# internal/edge/config/install.sh installs the servers.
#
#   sh internal/lab/bench/install.sh NODE FOLDER
set -eu
node=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)

# The newest version that builds with this module's Go.
hugo_version=v0.165.0

sh "$here/../rig/install.sh" "$node" "$here/eleventy" "$target/eleventy" "wrk:wrk h2load:nghttp2-client h2o:h2o taskset:util-linux findmnt:util-linux"
# The probe is mogrify, because other programs are called convert, too.
sh "$here/../rig/install.sh" "$node" "$here/sharp" "$target/sharp" "mogrify:imagemagick" copies.mjs
if [ "$(go version -m "$target/hugo" 2>/dev/null | awk '$1 == "mod" { print $3 }')" != "$hugo_version" ]; then
	echo "building Hugo, which takes some minutes once" >&2
	GOBIN="$target" go install "github.com/gohugoio/hugo@$hugo_version"
fi
