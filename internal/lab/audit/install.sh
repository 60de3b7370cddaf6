#!/bin/sh
# Installs what the audits need, once: the npm packages of package-lock.json and
# a copy of the audits below the folder given, and from Debian what npm does not
# have. Run again it only copies the audits.
#
#   sh internal/lab/audit/install.sh NODE FOLDER
set -eu
node=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)

missing=
for pair in chromium:chromium xmllint:libxml2-utils java:default-jre-headless; do
	command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		echo "the audits need these Debian packages:$missing; install them (apt-get install$missing) and try again" >&2
		exit 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of names
	apt-get install -qq -y --no-install-recommends $missing fonts-liberation
fi

mkdir -p "$target"
if ! cmp -s "$here/package-lock.json" "$target/installed-lock.json"; then
	cp "$here/package.json" "$here/package-lock.json" "$target/"
	# Scripts of packages are not run: none of the tools needs its own.
	(cd "$target" && PATH="$(dirname "$node"):$PATH" npm ci --ignore-scripts --no-fund --no-audit --loglevel=error)
	cp "$here/package-lock.json" "$target/installed-lock.json"
fi

# Node finds packages from where a module is, so the audits run from a copy.
rm -rf "$target/run.mjs" "$target/lib" "$target/checks" "$target/schemas"
cp -R "$here/run.mjs" "$here/lib" "$here/checks" "$here/schemas" "$target/"
