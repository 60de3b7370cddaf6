#!/bin/sh
# Creates the user and its folder. It doesn't start the server, because a new installation has no build to serve.
set -e
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers vitrine.conf
	systemd-tmpfiles --create vitrine.conf
elif ! getent passwd vitrine >/dev/null; then
	useradd --system --home-dir /var/lib/vitrine --shell /usr/sbin/nologin vitrine
	install -d -m 0755 -o vitrine -g vitrine /var/lib/vitrine
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	# After an update, restart with the new program.
	systemctl try-restart vitrined.service
fi
