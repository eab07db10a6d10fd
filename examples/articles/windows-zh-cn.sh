#!/usr/bin/env bash
# The edition of 14 April 2016 for Azure China: sizes A8 and A9, Windows Server 2012 or 2012 R2. Usage: windows-zh-cn.sh [FOLDER]
. "$(dirname "${BASH_SOURCE[0]}")/windows.sh"
scenario burst "$(edition windows-burst-china.yaml '')"
scenario iaas "$(edition windows-iaas.yaml 's/region: westus/region: chinanorth/; s/2012-R2-Datacenter/2012-Datacenter/')"
commands
