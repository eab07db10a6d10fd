#!/bin/sh
# Stands for the application that one installs on the template node before the capture.
set -eu
install -d /opt/app
printf 'installed on %s\n' "$(uname -n)" >/opt/app/README
