# Burst of hpc2: 4 worker roles of size A8 and 2 proxy nodes.
# Run as administrator on the head node, an own, new one. Each step can be taken again.
#
# .\burst.ps1                      from the certificate to nodes that start and stop at their hours
# .\burst.ps1 -Step Submit         the two ping-pong jobs
# .\burst.ps1 -Step Offline,Stop   when no more jobs are to run
#
# 6 machines are billed from Start to Stop.
param(
    [ValidateSet('Certificate', 'Services', 'NodeTemplate', 'AddNodes', 'Start', 'Wait', 'Online', 'Schedule', 'Unschedule', 'Submit', 'Offline', 'Stop')]
    [string[]] $Step = @('Certificate', 'Services', 'NodeTemplate', 'AddNodes', 'Schedule'),
    [string] $NodeTemplateFile = 'AzureRdma.xml',
    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 60
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

# The nodes in one of these states, or all of them.
function Get-ClusterNode([string[]] $State) {
    if ($State) {
        foreach ($one in $State) {
            Get-HpcNode -TemplateName 'AzureRdma' -ErrorAction SilentlyContinue -State $one
        }
    }
    else {
        Get-HpcNode -TemplateName 'AzureRdma' -ErrorAction SilentlyContinue
    }
}

function Get-FailedNode {
    Get-HpcNode -TemplateName 'AzureRdma' -ErrorAction SilentlyContinue -HealthState Error
}

# Follows the nodes until all are in a wanted state; stops where one fails, strays or takes too long.
function Wait-NodeState([string[]] $Wanted, [string[]] $Passing, [switch] $Healthy) {
    $end = (Get-Date).AddMinutes($DeadlineMinutes)
    $astray = 0
    while ($true) {
        $all = @(Get-ClusterNode).Count
        if ($Healthy -and $all -eq 0) { throw 'there are no such nodes; add them first' }
        $there = @(Get-ClusterNode -State $Wanted).Count
        Write-Host "$there of $all nodes are $($Wanted -join ' or ')"
        if ($there -eq $all) { return }
        $failed = 0
        if ($Healthy) { $failed = @(Get-FailedNode).Count }
        $onward = @(Get-ClusterNode -State $Passing).Count
        # Nodes change between two looks, so one look is not enough to give up.
        if ($failed -gt 0 -or $there + $onward -lt $all) { $astray++ } else { $astray = 0 }
        if ($astray -ge 4) {
            throw "$failed nodes report an error, and $($all - $there - $onward) are in a state that does not lead to $($Wanted -join ' or '). See Get-HpcNode, and Get-HpcOperationLog for why."
        }
        if ((Get-Date) -gt $end) {
            throw "after $DeadlineMinutes minutes only $there of $all nodes are $($Wanted -join ' or '); give a longer -DeadlineMinutes, or see Get-HpcNode."
        }
        Start-Sleep -Seconds 15
    }
}

# Registers the MPI programs with the firewall of nodes, before their first job; it may run again.
function Open-NodeFirewall($Nodes) {
    $list = ($Nodes | ForEach-Object { $_.NetBiosName }) -join ','
    clusrun "/nodes:$list" hpcfwutil register 'mpipingpong' 'C:\Program Files\Microsoft MPI\Bin\mpipingpong.exe'
    if ($LASTEXITCODE -ne 0) { throw 'hpcfwutil did not register mpipingpong on every node; see the output of clusrun above' }
}

function Invoke-BurstCertificate {
    $own = Get-Item -LiteralPath 'Cert:\LocalMachine\My\0123456789ABCDEF0123456789ABCDEF01234567' -ErrorAction SilentlyContinue
    if (-not $own -or -not $own.HasPrivateKey) { throw 'certificate 0123456789ABCDEF0123456789ABCDEF01234567 with its private key is not in Local Computer\Personal; import its .pfx there' }
    if (-not (Test-Path -LiteralPath 'Cert:\LocalMachine\Root\0123456789ABCDEF0123456789ABCDEF01234567')) { throw 'certificate 0123456789ABCDEF0123456789ABCDEF01234567 is not in Local Computer\Trusted Root; import its .cer there' }
}

function Invoke-BurstServices {
    Import-Module -Name 'Azure'
    $own = Get-Item -LiteralPath 'Cert:\LocalMachine\My\0123456789ABCDEF0123456789ABCDEF01234567'
    Set-AzureSubscription -SubscriptionName 'clusterwright-burst' -SubscriptionId '00000000-0000-0000-0000-000000000000' -Certificate $own -Environment 'AzureChinaCloud'
    Select-AzureSubscription -SubscriptionId '00000000-0000-0000-0000-000000000000'
    $known = Get-AzureService -ServiceName 'hpc2-burst' -ErrorAction SilentlyContinue
    if (-not $known) {
        New-AzureService -ServiceName 'hpc2-burst' -Location 'China North' | Out-Null
    }
    elseif ($known.Location -and $known.Location -ne 'China North') { throw "cloud service hpc2-burst is in $($known.Location), and must be in China North" }
    $known = Get-AzureStorageAccount -StorageAccountName 'hpc2burststore' -ErrorAction SilentlyContinue
    if (-not $known) {
        New-AzureStorageAccount -StorageAccountName 'hpc2burststore' -Location 'China North' | Out-Null
    }
    elseif ($known.Location -and $known.Location -ne 'China North') { throw "storage account hpc2burststore is in $($known.Location), and must be in China North" }
}

function Invoke-BurstNodeTemplate {
    if (Get-HpcNodeTemplate -Name 'AzureRdma' -ErrorAction SilentlyContinue) { return }
    if (-not (Test-Path -LiteralPath $NodeTemplateFile)) { throw "there is no node template AzureRdma and no file $NodeTemplateFile. No cmdlet makes a template of Azure nodes: make it in the Create Node Template wizard, export it with Export-HpcNodeTemplate, and give the file as -NodeTemplateFile." }
    if ([IO.Path]::GetFileNameWithoutExtension($NodeTemplateFile) -ne 'AzureRdma') { throw 'the file''s name becomes the template''s name: call it AzureRdma.xml' }
    Import-HpcNodeTemplate -Path $NodeTemplateFile
}

function Invoke-BurstAddNodes {
    $missing = 4 - @(Get-ClusterNode).Count
    if ($missing -gt 0) {
        $template = Get-HpcNodeTemplate -Name 'AzureRdma'
        Add-HpcNodeSet -Template $template -Quantity $missing -Size 'A8'
    }
}

function Invoke-BurstStart {
    $stopped = @(Get-ClusterNode -State @('NotDeployed'))
    if ($stopped.Count -gt 0) { Start-HpcAzureNode -Node $stopped -Async $true }
}

function Invoke-BurstWait {
    Wait-NodeState -Wanted @('Offline','Online') -Passing @('NotDeployed','Provisioning','Starting','Unknown') -Healthy
}

function Invoke-BurstOnline {
    # The scheduler starts jobs on these nodes at once: restrict job templates to groups before.
    $ready = @(Get-ClusterNode -State @('Offline'))
    if ($ready.Count -gt 0) { Open-NodeFirewall -Nodes $ready }
    if ($ready.Count -gt 0) { Set-HpcNodeState -Node $ready -State Online -Confirm:$false }
    Wait-NodeState -Wanted @('Online') -Passing @('Offline','Starting') -Healthy
}

function Invoke-BurstSchedule {
    $path = $PSCommandPath.Replace("'", "''")
    $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -NonInteractive -ExecutionPolicy Bypass -Command `"& '$path' -Step Start,Wait,Online`""
    $trigger = New-ScheduledTaskTrigger -Weekly -DaysOfWeek @('Monday','Tuesday','Wednesday','Thursday','Friday') -At '08:00'
    Register-ScheduledTask -TaskName 'clusterwright hpc2 start' -Action $action -Trigger $trigger -User 'SYSTEM' -RunLevel Highest -Force | Out-Null
    $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -NonInteractive -ExecutionPolicy Bypass -Command `"& '$path' -Step Offline,Stop`""
    $trigger = New-ScheduledTaskTrigger -Weekly -DaysOfWeek @('Monday','Tuesday','Wednesday','Thursday','Friday') -At '18:00'
    Register-ScheduledTask -TaskName 'clusterwright hpc2 stop' -Action $action -Trigger $trigger -User 'SYSTEM' -RunLevel Highest -Force | Out-Null
}

function Invoke-BurstUnschedule {
    if (Get-ScheduledTask -TaskName 'clusterwright hpc2 start' -ErrorAction SilentlyContinue) { Unregister-ScheduledTask -TaskName 'clusterwright hpc2 start' -Confirm:$false }
    if (Get-ScheduledTask -TaskName 'clusterwright hpc2 stop' -ErrorAction SilentlyContinue) { Unregister-ScheduledTask -TaskName 'clusterwright hpc2 stop' -Confirm:$false }
}

function Invoke-BurstSubmit {
    # Nothing is piped in, so that a question for a password ends the command in place of hanging.
    $null | job submit /nodegroup:azurenodes /numnodes:4 mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul
    if ($LASTEXITCODE -ne 0) { throw "job submit failed with $LASTEXITCODE; without cached credentials run: hpccred setcreds" }
    $null | job submit /nodegroup:azurenodes /numnodes:4 mpiexec -c 1 -affinity mpipingpong -p 4000000:1000 -op -s nul
    if ($LASTEXITCODE -ne 0) { throw "job submit failed with $LASTEXITCODE; without cached credentials run: hpccred setcreds" }
}

function Invoke-BurstOffline {
    $busy = @(Get-ClusterNode -State @('Online'))
    if ($busy.Count -gt 0) { Set-HpcNodeState -Node $busy -State Offline -Confirm:$false }
    Wait-NodeState -Wanted @('Offline','NotDeployed') -Passing @('Online','Draining','Stopping')
}

function Invoke-BurstStop {
    $started = @(Get-ClusterNode).Count - @(Get-ClusterNode -State @('NotDeployed')).Count
    if ($started -gt 0) {
        $template = Get-HpcNodeTemplate -Name 'AzureRdma'
        Stop-HpcNodeSet -Template $template -Force $true -Async $true
    }
    Wait-NodeState -Wanted @('NotDeployed') -Passing @('Online','Draining','Offline','Stopping','Removing')
}

if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) { Add-PSSnapin -Name Microsoft.HPC }
switch ($Step) {
    'Certificate' { Write-Host 'Certificate: the head node has certificate 0123456789ABCDEF0123456789ABCDEF01234567 with its private key'; Invoke-BurstCertificate }
    'Services' { Write-Host 'Services: cloud service hpc2-burst and storage account hpc2burststore, both in China North'; Invoke-BurstServices }
    'NodeTemplate' { Write-Host 'NodeTemplate: AzureRdma comes with the configuration file of the new head node, or is imported'; Invoke-BurstNodeTemplate }
    'AddNodes' { Write-Host 'AddNodes: Add-HpcNodeSet until there are 4 nodes of size A8'; Invoke-BurstAddNodes }
    'Start' { Write-Host 'Start: 4 nodes of template AzureRdma, with 2 proxy nodes of the same size; billed from here'; Invoke-BurstStart }
    'Wait' { Write-Host 'Wait: until all are provisioned, which takes many minutes'; Invoke-BurstWait }
    'Online' { Write-Host 'Online: 4 nodes of template AzureRdma, after their firewall knows the MPI programs; the scheduler starts jobs on them at once'; Invoke-BurstOnline }
    'Schedule' { Write-Host 'Schedule: 4 nodes of template AzureRdma run from 08:00 to 18:00 on Monday, Tuesday, Wednesday, Thursday, Friday, by two scheduled tasks of this machine'; Invoke-BurstSchedule }
    'Unschedule' { Write-Host 'Unschedule: removes the two scheduled tasks; the nodes keep their state'; Invoke-BurstUnschedule }
    'Submit' { Write-Host 'Submit: mpipingpong for latency and throughput on group azurenodes'; Invoke-BurstSubmit }
    'Offline' { Write-Host 'Offline: 4 nodes of template AzureRdma, when their jobs have ended'; Invoke-BurstOffline }
    'Stop' { Write-Host 'Stop: 4 nodes of template AzureRdma; no longer billed'; Invoke-BurstStop }
}
