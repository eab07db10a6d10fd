# Node group and job template of hpc1. Run this on the head node as administrator; it may run again.
param(
    [string] $Group = 'rdma-nodes',
    [string] $Description = 'Nodes of hpc1 that reach each other over RDMA',
    [string] $NodeTemplate = 'AzureRdma',
    [string[]] $Names = @(),
    [string] $JobTemplate = ''
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) {
    Add-PSSnapin -Name Microsoft.HPC
}

# HPC Pack keeps groups such as ComputeNodes by itself; for them there are neither names nor a node template here.
if ($NodeTemplate -or $Names) {
    if (-not (Get-HpcGroup -Name $Group -ErrorAction SilentlyContinue)) {
        New-HpcGroup -Name $Group -Description $Description | Out-Null
    }
    $members = @(Get-HpcNode -GroupName $Group -ErrorAction SilentlyContinue | ForEach-Object { $_.NetBiosName })
    if ($NodeTemplate) {
        $nodes = @(Get-HpcNode -TemplateName $NodeTemplate)
    }
    else {
        $nodes = @(Get-HpcNode -Name $Names)
    }
    $new = @($nodes | Where-Object { $members -notcontains $_.NetBiosName })
    if ($new.Count -gt 0) {
        Add-HpcGroup -Name $Group -Node $new
    }
    Write-Output "$($new.Count) nodes were added to $Group."
}

# The elements are those that Export-HpcJobTemplate writes and Import-HpcJobTemplate reads: the class ClusterJobProfileItem of the scheduler's
# published source.
function Get-GroupItem([xml] $exported) {
    $exported.DocumentElement.SelectSingleNode("*[local-name()='TemplateItem' and @PropertyName='NodeGroups']")
}

# The job template's jobs run on nodes of the group only. Jobs of other templates may still start there.
if ($JobTemplate) {
    $file = [IO.Path]::GetTempFileName()
    $template = Get-HpcJobTemplate -Name $JobTemplate -ErrorAction SilentlyContinue
    if (-not $template) { $template = Get-HpcJobTemplate -Name 'Default' }
    Export-HpcJobTemplate -Template $template -Path $file -Force
    [xml] $content = Get-Content -LiteralPath $file
    $item = Get-GroupItem $content
    if (-not $item) {
        $item = $content.CreateElement('TemplateItem', $content.DocumentElement.NamespaceURI)
        $item.SetAttribute('PropertyName', 'NodeGroups')
        $content.DocumentElement.AppendChild($item) | Out-Null
    }
    foreach ($attribute in @('Default', 'ValueRange', 'RequiredValues')) { $item.SetAttribute($attribute, $Group) }
    $content.Save($file)
    Import-HpcJobTemplate -Name $JobTemplate -Path $file -Force | Out-Null

    # What the scheduler keeps counts.
    $template = Get-HpcJobTemplate -Name $JobTemplate
    Export-HpcJobTemplate -Template $template -Path $file -Force
    [xml] $content = Get-Content -LiteralPath $file
    $item = Get-GroupItem $content
    Remove-Item -LiteralPath $file
    if (-not $item -or $item.GetAttribute('RequiredValues') -ne $Group) {
        throw "the scheduler did not restrict job template $JobTemplate to $Group; in HPC Cluster Manager, Configuration, Job Templates, add Node Groups with this required value"
    }
    Write-Output "Jobs of template $JobTemplate run on nodes of $Group only."
}
