#!/bin/sh
# Runs in place of the commands that readers call: vitrine, vitrined, go build, go run ./cmd/vitrine, and curl. The name
# of the link to this file selects the command. The script replaces the ports 8080 and 9090 of 127.0.0.1 with ports for
# each page, so that pages can run at the same time. A server continues in the background, as in another terminal, and
# the next one replaces it.
set -u
name=$(basename "$0")
n=$#
while [ "$n" -gt 0 ]; do
	argument=$(printf %s "$1" | sed "s/127\.0\.0\.1:8080/127.0.0.1:$PORT/g; s/localhost:8080/127.0.0.1:$PORT/g; s/127\.0\.0\.1:9090/127.0.0.1:$ADMIN/g")
	shift
	[ "$argument" = --open ] || set -- "$@" "$argument"
	n=$((n - 1))
done

answers() { "$CURL" -s -o "$SERVERS/answer" "http://127.0.0.1:$PORT/"; }

serve() {
	case " $* " in *" --addr "* | *" -addr "*) ;; *) set -- "$@" --addr "127.0.0.1:$PORT" ;; esac
	for old in "$SERVERS"/*.pid; do
		[ -f "$old" ] && kill "$(cat "$old")" 2>>"$SERVERS/kill.log" && rm -f "$old"
	done
	for _ in $(seq 100); do answers || break; sleep 0.1; done
	"$@" >"$SERVERS/server.log" 2>&1 &
	pid=$!
	echo "$pid" >"$SERVERS/$pid.pid"
	for _ in $(seq 600); do
		answers && exit 0
		kill -0 "$pid" 2>>"$SERVERS/kill.log" || break
		sleep 0.1
	done
	cat "$SERVERS/server.log" >&2
	exit 1
}

case "$name" in
go)
	# Go itself calls the real git, which is after this script in PATH.
	[ "${1-}" != build ] || { cd "$CHECKOUT" && PATH=${PATH#*:} exec "$GO" "$@"; }
	[ "${1-} ${2-}" = "run ./cmd/vitrine" ] || { echo "only go build and go run ./cmd/vitrine are supported" >&2; exit 1; }
	shift 2
	exec vitrine "$@"
	;;
vitrine)
	case "${1-}" in serve | preview) serve "$VITRINE" "$@" ;; esac
	exec "$VITRINE" "$@"
	;;
vitrined)
	case " $* " in *version\ * | *-probe\ * | *-help\ *) exec "$VITRINED" "$@" ;; esac
	serve "$VITRINED" "$@"
	;;
curl) exec "$CURL" "$@" ;;
*)
	echo "$name is not supported here; mark the block" >&2
	exit 1
	;;
esac
