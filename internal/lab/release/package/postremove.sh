#!/bin/sh
# The user and /var/lib/vitrine stay: the build in it is the site's owner's.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
