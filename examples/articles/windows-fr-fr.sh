#!/usr/bin/env bash
# The edition of 1 June 2017 in French: sizes H16r, H16mr, A8 and A9, Windows Server 2012 or 2012 R2. Usage: windows-fr-fr.sh [FOLDER]
. "$(dirname "${BASH_SOURCE[0]}")/windows.sh"
scenario burst "$(edition windows-burst.yaml 's/region: westus/region: westeurope/')"
scenario iaas "$(edition windows-iaas.yaml 's/2012-R2-Datacenter/2012-Datacenter/')"
commands
