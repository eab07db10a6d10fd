#!/usr/bin/env bash
# The edition of 1 June 2017 in Portuguese: sizes H16r, H16mr, A8 and A9, Windows Server 2012 or 2012 R2. Usage: windows-pt-br.sh [FOLDER]
. "$(dirname "${BASH_SOURCE[0]}")/windows.sh"
scenario burst "$(edition windows-burst.yaml 's/region: westus/region: brazilsouth/')"
scenario iaas "$(edition windows-iaas.yaml 's/2012-R2-Datacenter/2012-Datacenter/; s/Standard_A8/Standard_A9/')"
commands
