#!/bin/sh
# Installs the requirements of JavaScript tests: the npm packages in FROM/package-lock.json, and a Debian package for
# each missing program. Then copies the tests from FROM to FOLDER, which also contains the npm packages, because Node
# resolves packages relative to a module's location. If all requirements are installed, it only copies the tests.
#
#   sh internal/lab/rig/install.sh NODE FROM FOLDER "PROGRAM:PACKAGE[,PACKAGE] …" "TEST …"
set -eu
node=$1
from=$2
target=$3

missing=
for pair in $4; do
	command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing $(echo "${pair#*:}" | tr , ' ')"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		echo "the tests of $from need these Debian packages:$missing; install them (apt-get install$missing) and try again" >&2
		exit 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of names
	apt-get install -qq -y --no-install-recommends $missing
fi

mkdir -p "$target"
if ! cmp -s "$from/package-lock.json" "$target/installed-lock.json"; then
	cp "$from/package.json" "$from/package-lock.json" "$target/"
	# Don't run packages' scripts, because none of the tools needs them.
	(cd "$target" && PATH="$(dirname "$node"):$PATH" npm ci --ignore-scripts --no-fund --no-audit --loglevel=error)
	cp "$from/package-lock.json" "$target/installed-lock.json"
fi

for test in ${5-}; do
	rm -rf "${target:?}/$test"
	cp -R "$from/$test" "$target/$test"
done
