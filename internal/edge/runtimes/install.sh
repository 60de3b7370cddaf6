#!/bin/sh
# Installs the runtimes of the platforms into a folder, once for each lock file:
#   sh internal/edge/runtimes/install.sh .tools/edges path/to/node
# Nothing that a package brings along is run while it is installed.
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
# npm runs under the Node.js that the packages ask for. It is "install" rather
# than "ci", which refuses a lock file without the optional packages of systems
# that no test runs on; the versions and hashes are those of the lock file.
PATH="$(dirname "$node"):$PATH" npm install --prefix "$into" --ignore-scripts --no-fund --no-audit --omit-lockfile-registry-resolved
touch "$stamp"
