#!/bin/sh
# Queries the Go vulnerability database about the programs' code. It exits with 0 if it knows no vulnerability, with 1 if it
# knows one, and with 2 if the database can't be reached and the check didn't run. GOVULNDB selects another database.
set -u
tools=$1
version=v1.8.0
database=${GOVULNDB:-https://vuln.go.dev}
program=$tools/bin/govulncheck-$version
if [ ! -x "$program" ]; then
	GOBIN=$tools/bin go install golang.org/x/vuln/cmd/govulncheck@$version || {
		echo "govulncheck $version cannot be installed from here: nothing was checked" >&2
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
	echo "$database cannot be reached from here: nothing was checked. Run this where it can be," >&2
	echo "or name a mirror or a file:// copy of it in GOVULNDB." >&2
	exit 2
	;;
*)
	echo "$told"
	exit 1
	;;
esac
