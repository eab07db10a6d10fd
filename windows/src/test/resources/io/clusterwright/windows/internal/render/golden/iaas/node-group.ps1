# Node group, network of MPI and job template of hpc1. Run this on the head node as administrator; it may run again.
param(
    [string] $Group = 'vmcomputenodes',
    [string] $Description = 'Nodes of hpc1 that reach each other over RDMA',
    [string] $NodeTemplate = '',
    [string[]] $Names = @('HPCCN-0001','HPCCN-0002','HPCCN-0003','HPCCN-0004'),
    [string[]] $LinuxNames = @(),
    [string] $MpiNetmask = '172.16.0.0/255.255.0.0',
    [string] $JobTemplate = 'RdmaOnly'
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) {
    Add-PSSnapin -Name Microsoft.HPC
}

function Add-GroupMember([string] $Name, [string] $Text, $Nodes) {
    if (-not (Get-HpcGroup -Name $Name -ErrorAction SilentlyContinue)) {
        New-HpcGroup -Name $Name -Description $Text | Out-Null
    }
    $members = @(Get-HpcNode -GroupName $Name -ErrorAction SilentlyContinue | ForEach-Object { $_.NetBiosName })
    $new = @($Nodes | Where-Object { $members -notcontains $_.NetBiosName })
    if ($new.Count -gt 0) {
        Add-HpcGroup -Name $Name -Node $new
    }
    Write-Output "$($new.Count) nodes were added to $Name."
}

# HPC Pack keeps groups such as ComputeNodes by itself; for them there are neither names nor a node template here.
if ($NodeTemplate) {
    Add-GroupMember -Name $Group -Text $Description -Nodes @(Get-HpcNode -TemplateName $NodeTemplate)
}
elseif ($Names) {
    Add-GroupMember -Name $Group -Text $Description -Nodes @(Get-HpcNode -Name $Names)
}

# One MPI job cannot run on Windows and Linux at the same time, so the nodes with Linux get a group of their own.
if ($LinuxNames) {
    Add-GroupMember -Name "$Group-linux" -Text "$Description, with Linux" -Nodes @(Get-HpcNode -Name $LinuxNames)
}

# The cluster's variable for the network of MPI. It counts on nodes of the domain, for jobs that name no MPICH_NETMASK themselves. Sources:
# cluscfg of the command reference of HPC Pack (learn.microsoft.com, cc972901 and cc947711).
if ($MpiNetmask) {
    cluscfg setenvs "CCP_MPI_NETMASK=$MpiNetmask"
    if ($LASTEXITCODE -ne 0) { throw "cluscfg did not set CCP_MPI_NETMASK; see its output above" }
    $wanted = '^\s*CCP_MPI_NETMASK\b.*\W' + [regex]::Escape($MpiNetmask) + '\s*$'
    if (-not @(cluscfg listenvs | Where-Object { $_ -match $wanted })) {
        throw "the cluster did not keep CCP_MPI_NETMASK=$MpiNetmask; see cluscfg listenvs"
    }
    Write-Output "MPI uses addresses of $MpiNetmask on the nodes of the domain."
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
