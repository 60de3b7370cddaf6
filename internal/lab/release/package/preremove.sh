#!/bin/sh
# Stops the running services if the package is removed. An update ("upgrade" in dpkg, 1 in rpm) keeps them running.
set -e
case "$1" in remove | 0) [ ! -d /run/systemd/system ] || systemctl disable --now vitrine-build.timer vitrined.service ;; esac
