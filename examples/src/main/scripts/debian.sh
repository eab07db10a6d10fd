# What local nodes and their MPI jobs need from the distribution.
# shellcheck shell=bash
packages=(iproute2 util-linux procps libpam-modules sudo openssh-client openssh-server
  openmpi-bin netpipe-openmpi waagent python3-distro)

# Installs what is missing, after saying so. Nothing that is installed here starts a service.
install_missing() {
  local package status missing=()
  if ! command -v dpkg-query >/dev/null; then
    echo "This machine has no dpkg: make sure yourself that it has ${packages[*]}." >&2
    return
  fi
  command -v mvn >/dev/null || packages+=(unzip)
  for package in "${packages[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  echo "Installing from the distribution (no service is started): ${missing[*]}" >&2
  "$@" env DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s -- "${missing[@]}" >&2 <<'INSTALL'
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
lock=(-o DPkg::Lock::Timeout=300)
apt-get "${lock[@]}" --quiet=2 update || { sleep 5; apt-get "${lock[@]}" --quiet=2 update; }
apt-get "${lock[@]}" --quiet=2 -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold \
  install --yes --no-install-recommends "$@" </dev/null >/dev/null
INSTALL
}
