#!/bin/sh
# Installs the programs for the tests of internal/edge/config, internal/deploy, and cmd/vitrined: nginx, Varnish, sshd, rsync,
# promtool, and systemd-analyze from Debian, and Caddy through the Go module proxy into .tools/. It skips installed programs.
set -eu
cd "$(dirname "$0")/../../.."

caddy_version=v2.11.9

packages=""
for pair in nginx:nginx apache2:apache2 h2o:h2o varnishd:varnish systemd-analyze:systemd patch:patch sshd:openssh-server ssh:openssh-client rsync:rsync curl:curl; do
	PATH="$PATH:/usr/sbin" command -v "${pair%%:*}" >/dev/null || packages="$packages ${pair##*:}"
done
# Varnish compiles its configuration with a C compiler.
command -v cc >/dev/null || command -v gcc >/dev/null || packages="$packages gcc libc6-dev"
if [ -n "$packages" ]; then
	if [ "$(id -u)" -ne 0 ]; then
		echo "these packages are missing, and installing them needs root:$packages" >&2
		echo "run: sudo apt-get install --no-install-recommends$packages" >&2
		exit 1
	fi
	apt-get update -qq
	# Only the tests start the servers, never the system.
	mkdir -p /usr/sbin
	if [ ! -e /usr/sbin/policy-rc.d ]; then
		printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
		chmod +x /usr/sbin/policy-rc.d
		trap 'rm -f /usr/sbin/policy-rc.d' EXIT
	fi
	# shellcheck disable=SC2086 # a list of words
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
fi

# Only promtool is needed from Debian's prometheus, without the packages that it depends on.
if [ ! -x .tools/prometheus/usr/bin/promtool ] && ! command -v promtool >/dev/null; then
	download=$(mktemp -d)
	[ "$(id -u)" -ne 0 ] || apt-get update -qq
	(cd "$download" && apt-get download -qq prometheus)
	mkdir -p .tools/prometheus
	dpkg-deb -x "$download"/prometheus_*.deb .tools/prometheus
	rm -r "$download"
fi

bin="$PWD/.tools/bin"
if [ "$(go version -m "$bin/caddy" 2>/dev/null | awk '$1 == "mod" { print $3 }')" != "$caddy_version" ]; then
	GOBIN="$bin" go install "github.com/caddyserver/caddy/v2/cmd/caddy@$caddy_version"
fi
