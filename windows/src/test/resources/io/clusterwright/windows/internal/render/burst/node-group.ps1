Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
# Node group and job template of hpc1. Run this on the head node as administrator; it may run again.
Add-PSSnapin -Name 'Microsoft.HPC'

$group = 'rdma-nodes'
if (-not (Get-HpcGroup -Name $group -ErrorAction SilentlyContinue)) {
    New-HpcGroup -Name $group -Description 'Nodes of hpc1 that reach each other over RDMA' | Out-Null
}
$members = @(Get-HpcNode -GroupName $group -ErrorAction SilentlyContinue | ForEach-Object { $_.NetBiosName })
$new = @(Get-HpcNode -TemplateName 'AzureRdma' | Where-Object { $members -notcontains $_.NetBiosName })
if ($new.Count -gt 0) {
    Add-HpcGroup -Name $group -Node $new
}
Write-Output "$($new.Count) nodes were added to $group."
