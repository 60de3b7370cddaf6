#!/bin/sh
# Stops what runs, where the package goes; an update ("upgrade", or 1 of rpm) leaves it running.
set -e
case "$1" in remove | 0) [ ! -d /run/systemd/system ] || systemctl disable --now vitrine-build.timer vitrined.service ;; esac
