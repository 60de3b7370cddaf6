#!/bin/sh
# Queries the Go vulnerability database about the programs' code. Exit codes: 0 if there is no known vulnerability, 1 if there
# is one or the check fails, and 2 if the database or govulncheck can't be downloaded. GOVULNDB selects another database.
set -u
tools=$1
version=v1.8.0
database=${GOVULNDB:-https://vuln.go.dev}
program=$tools/bin/govulncheck-$version
if [ ! -x "$program" ]; then
	GOBIN=$tools/bin go install golang.org/x/vuln/cmd/govulncheck@$version || {
		echo "govulncheck $version cannot be installed, so nothing was checked" >&2
		exit 2
	}
	mv "$tools/bin/govulncheck" "$program"
fi
told=$("$program" -db "$database" ./cmd/... 2>&1)
code=$?
case $code,$told in
0,*) echo "$told" ;;
*"fetching vulnerabilities"*)
	echo "$told" >&2
	echo "$database cannot be reached, so nothing was checked. Run this on a machine that can reach the database," >&2
	echo "or set GOVULNDB to the URL of a mirror or to a file:// URL of a copy." >&2
	exit 2
	;;
*)
	echo "$told"
	exit 1
	;;
esac
