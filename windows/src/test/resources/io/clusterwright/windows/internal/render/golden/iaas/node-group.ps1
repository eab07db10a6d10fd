Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
# Node group and job template of hpc1. Run this on the head node as administrator; it may run again.
if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) {
    Add-PSSnapin -Name Microsoft.HPC
}

$group = 'vmcomputenodes'
if (-not (Get-HpcGroup -Name $group -ErrorAction SilentlyContinue)) {
    New-HpcGroup -Name $group -Description 'Nodes of hpc1 that reach each other over RDMA' | Out-Null
}
$members = @(Get-HpcNode -GroupName $group -ErrorAction SilentlyContinue | ForEach-Object { $_.NetBiosName })
$new = @(Get-HpcNode -Name @('HPCCN-0001','HPCCN-0002','HPCCN-0003','HPCCN-0004') | Where-Object { $members -notcontains $_.NetBiosName })
if ($new.Count -gt 0) {
    Add-HpcGroup -Name $group -Node $new
}
Write-Output "$($new.Count) nodes were added to $group."

# The job template's jobs run on nodes of vmcomputenodes only. Jobs of other templates may still start there.
$file = [IO.Path]::GetTempFileName()
function Get-GroupItem([xml] $exported) {
    $exported.DocumentElement.SelectSingleNode("*[local-name()='TemplateItem' and @PropertyName='NodeGroups']")
}
$template = Get-HpcJobTemplate -Name 'RdmaOnly' -ErrorAction SilentlyContinue
if (-not $template) { $template = Get-HpcJobTemplate -Name 'Default' }
Export-HpcJobTemplate -Template $template -Path $file -Force
[xml] $content = Get-Content -LiteralPath $file
$item = Get-GroupItem $content
if (-not $item) {
    $item = $content.CreateElement('TemplateItem', $content.DocumentElement.NamespaceURI)
    $item.SetAttribute('PropertyName', 'NodeGroups')
    $content.DocumentElement.AppendChild($item) | Out-Null
}
foreach ($attribute in @('Default', 'ValueRange', 'RequiredValues')) { $item.SetAttribute($attribute, $group) }
$content.Save($file)
Import-HpcJobTemplate -Name 'RdmaOnly' -Path $file -Force | Out-Null

# What the scheduler keeps counts.
$template = Get-HpcJobTemplate -Name 'RdmaOnly'
Export-HpcJobTemplate -Template $template -Path $file -Force
[xml] $content = Get-Content -LiteralPath $file
$item = Get-GroupItem $content
Remove-Item -LiteralPath $file
if (-not $item -or $item.GetAttribute('RequiredValues') -ne $group) { throw 'the scheduler did not restrict job template RdmaOnly to vmcomputenodes; in HPC Cluster Manager, Configuration, Job Templates, add Node Groups with this required value' }
Write-Output 'Jobs of template RdmaOnly run on nodes of vmcomputenodes only.'
