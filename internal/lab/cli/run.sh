#!/bin/sh
# Checks the types of the command-line tool, and runs its tests with the tool from a build and a real vitrined: all tests
# under the first given Node, and tests that depend on Node's version under the others.
#
# usage: run.sh NODE22 NODE24 …
set -eu
cd "$(dirname "$0")/../../.."
tools="$PWD/.tools"
work=$(mktemp -d)
server=
finish() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT INT TERM

# Install the development dependencies once for each lock file.
packages="$tools/cli-$(cksum <internal/lab/cli/package-lock.json | cut -d' ' -f1)"
if [ ! -d "$packages/node_modules" ]; then
	mkdir -p "$packages"
	cp internal/lab/cli/package.json internal/lab/cli/package-lock.json "$packages/"
	npm ci --prefix "$packages" --ignore-scripts --no-fund --no-audit
fi
ln -sfn "../../../.tools/${packages##*/}/node_modules" internal/lab/cli/node_modules

go build -o "$work/" ./cmd/vitrine ./cmd/vitrined
"$work/vitrine" build --out "$work/build"
(cd "$work/build/public/cli" && sha256sum -c ./*.sha256)

# If the machine's own Node is too old, the tool must report the required version.
old=$(command -v node || true)
if [ -n "$old" ] && [ "$("$old" -p 'parseInt(process.versions.node)')" -ge 22 ]; then old=; fi

cd internal/lab/cli
tests='*'
"$1" node_modules/typescript/bin/tsc --project .
for node in "$@"; do
	# The last test exhausts the allowance, so each run has its own server. The log must exist before the server is
	# ready.
	: >"$work/log"
	"$work/vitrined" --dir "$work/build" --addr 127.0.0.1:0 2>>"$work/log" &
	server=$!
	address=
	for _ in $(seq 60); do
		address=$(sed -n 's/.*"msg":"serving","address":"\([^"]*\)".*/\1/p' "$work/log")
		[ -z "$address" ] || break
		sleep 0.5
	done
	[ -n "$address" ] || { echo "vitrined did not start:"; cat "$work/log"; exit 1; }
	echo "the command-line tool under Node $("$node" --version):"
	VITRINE_CLI=$(ls "$work"/build/public/cli/*.mjs) VITRINE_URL="http://$address" VITRINE_OLD_NODES="$old" \
		"$node" --test --test-reporter=dot "test/$tests.test.mjs"
	tests='{fetch,process,real}'
	kill "$server"
	wait "$server" || true
	server=
done
