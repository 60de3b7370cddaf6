#!/bin/sh
# Runs the Windows programs on Debian's Wine. The public files of the sample site must have the same bytes as in a build on
# this machine, and the server must respond and exit.
#
#   sh internal/lab/windows/run.sh FOLDER
#
# FOLDER stores Wine's own files between runs.
set -eu
export WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" # without .NET and a browser
SOURCE_DATE_EPOCH=$(date +%s) # the same time for both builds
export SOURCE_DATE_EPOCH
mkdir -p "$1"
folder=$(cd "$1" && pwd)
export WINEPREFIX=$folder/prefix

missing=
for pair in wine:wine wine64:wine64 x86_64-w64-mingw32-ld:binutils-mingw-w64-x86-64 curl:curl; do
	PATH="$PATH:/usr/lib/wine" command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "these Debian packages are missing:$missing; install them (apt-get install --no-install-recommends$missing) and try again" >&2
		exit 1
	fi
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of names
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
fi

# Wine 8 lacks bcryptprimitives.dll, which every Go program loads for random numbers. A DLL that only forwards to Wine's
# implementation is enough.
system=$WINEPREFIX/drive_c/windows/system32
if [ ! -e "$system/bcryptprimitives.dll" ]; then
	wineboot --init >/dev/null 2>&1 || true
	printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = advapi32.SystemFunction036\n' >"$folder/random.def"
	x86_64-w64-mingw32-dlltool -d "$folder/random.def" -e "$folder/random.o" -D bcryptprimitives.dll
	x86_64-w64-mingw32-ld -shared --entry=0 -o "$system/bcryptprimitives.dll" "$folder/random.o"
fi

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
# Wine doesn't have git, so this copy has no history, and neither build has commit dates.
cp -R content "$work/content"
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -o "$work" ./cmd/vitrine ./cmd/vitrined
go build -o "$work/vitrine" ./cmd/vitrine
cd "$work"

wine vitrine.exe version
wine vitrine.exe build -out windows
./vitrine build -out linux
diff -r linux/public windows/public
echo "$(find linux/public -type f | wc -l) files of public/ are the same, byte for byte"

wine vitrined.exe -dir windows -addr 127.0.0.1:0 2>log &
server=$!
address=
for _ in $(seq 300); do
	address=$(sed -n 's/.*"msg":"serving","address":"\([^"]*\)".*/\1/p' log)
	[ -z "$address" ] || break
	sleep 0.1
done
[ -n "$address" ] || { cat log >&2; exit 1; }
curl -sS --fail --max-time 10 "http://$address/" | cmp - linux/public/index.html
kill -INT "$server"
wait "$server" || { cat log >&2; exit 1; }
server=
grep -q '"msg":"ended"' log
echo "vitrined.exe responded, and exited with 0 when it was interrupted"
