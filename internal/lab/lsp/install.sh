#!/bin/sh
# Installs what the language server is tested with, once: the npm packages of package-lock.json and a copy of the
# tests below the folder given, and Neovim from Debian. Run again it only copies the tests.
#
#   sh internal/lab/lsp/install.sh NODE FOLDER
set -eu
node=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)

if ! command -v nvim >/dev/null 2>&1; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		echo "the test of the language server needs Neovim; install it (apt-get install neovim) and try again" >&2
		exit 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -qq -y --no-install-recommends neovim
fi

mkdir -p "$target"
if ! cmp -s "$here/package-lock.json" "$target/installed-lock.json"; then
	cp "$here/package.json" "$here/package-lock.json" "$target/"
	(cd "$target" && PATH="$(dirname "$node"):$PATH" npm ci --ignore-scripts --no-fund --no-audit --loglevel=error)
	cp "$here/package-lock.json" "$target/installed-lock.json"
fi

# Node finds packages from where a module is, so the tests run from a copy.
rm -rf "$target/test"
cp -R "$here/test" "$target/test"
