#!/bin/sh
# Installs the platforms' runtimes into a folder, once for each lock file:
#   sh internal/edge/runtimes/install.sh .tools/edges path/to/node
# It doesn't run install scripts of packages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
into=$1
node=$2
stamp="$into/.installed-$(sha256sum "$here/package-lock.json" | cut -c 1-16)"
if [ -f "$stamp" ]; then
  exit 0
fi
mkdir -p "$into"
rm -f "$into"/.installed-*
cp "$here/package.json" "$here/package-lock.json" "$into/"
# Run npm with the Node.js version that the packages require. Use install, not ci: ci rejects a lock
# file that omits the optional packages of unused systems. Versions and hashes come from the lock file.
PATH="$(dirname "$node"):$PATH" npm install --prefix "$into" --ignore-scripts --no-fund --no-audit --omit-lockfile-registry-resolved
touch "$stamp"
