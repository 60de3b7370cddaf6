#!/bin/sh
# Prints the tables of builds and servers under headings. If a run is given, it also draws them and puts them into the
# document between the comments of this run, in place of the previous tables. If SERVE is -, it prints only BUILD,
# without headings.
#
#   sh internal/lab/bench/record.sh BUILD SERVE DOCUMENT [RUN]
set -eu
tables=$(dirname "$1")/tables.md
{
	if [ "$2" != - ]; then
		printf '\n### Servers\n\n'
		cat "$2"
		printf '\n### Builds\n'
	fi
	echo
	cat "$1"
	echo
} | cat -s >"$tables"
cat "$tables"
[ -n "${4-}" ] || exit 0
begin="<!-- run $4 -->" end="<!-- end of run $4 -->"
for mark in "$begin" "$end"; do
	grep -qxF "$mark" "$3" || { echo "$3 has no place for run $4: no line $mark" >&2; exit 1; }
done
go run ./internal/lab/bench/plot -run "$4" -dir "$(dirname "$3")/plots" "$tables"
sed -i -e "/^$begin\$/,/^$end\$/{//!d}" -e "/^$begin\$/r $tables" "$3"
