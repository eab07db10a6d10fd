#!/usr/bin/env bash
# The edition of 6 March 2018: sizes H16r, H16mr, A8 and A9, Windows Server 2012 R2. Usage: windows-en-us.sh [FOLDER]
. "$(dirname "${BASH_SOURCE[0]}")/windows.sh"
scenario burst "$(edition windows-burst.yaml '')"
scenario iaas "$(edition windows-iaas.yaml '')"
# H-series nodes get the RDMA drivers as an extension; on A8 and A9 the deployment script installs them by itself.
scenario iaas-h16r "$(edition windows-iaas.yaml 's/size: Standard_A8/size: Standard_H16r/; s/^mpi:/extensions: [{name: HpcVmDrivers}]\nmpi:/')"
commands
# The edition names Resource Manager as the other way; its template is deployed with: az deployment group create
scenario resource-manager "$(edition windows-resource-manager.yaml '')"
