# Burst of hpc2: 4 worker roles of size A8 and 2 proxy nodes.
# Run as administrator on the head node, a new one. Each step can be taken again.
#
# .\burst.ps1                      from the certificate to nodes that start and stop at their hours
# .\burst.ps1 -Step Submit         the two ping-pong jobs
# .\burst.ps1 -Step Offline,Stop   when no more jobs are to run
#
# 6 machines are billed from Start to Stop.
param(
    [ValidateSet('Certificate', 'Services', 'NodeTemplate', 'AddNodes', 'Start', 'Wait', 'Online', 'Schedule', 'Unschedule', 'Submit', 'Offline', 'Stop')]
    [string[]] $Step = @('Certificate','Services','NodeTemplate','AddNodes','Schedule'),
    [string] $NodeTemplate = 'AzureRdma',
    [string] $NodeTemplateFile = "$NodeTemplate.xml",
    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 60,
    [int] $Count = 4,
    [string] $Size = 'A8',
    # The thumbprint of the management certificate; empty for the default certificate of HPC Pack.
    [string] $Thumbprint = '0123456789ABCDEF0123456789ABCDEF01234567',
    # Empty for the subscription and the cloud that are selected.
    [string] $SubscriptionId = '00000000-0000-0000-0000-000000000000',
    [string] $Environment = 'AzureChinaCloud',
    [string] $Location = 'China North',
    [string] $CloudService = 'hpc2-burst',
    [string] $StorageAccount = 'hpc2burststore',
    [string[]] $ProgramNames = @('mpipingpong'),
    [string[]] $ProgramPaths = @('C:\Program Files\Microsoft MPI\Bin\mpipingpong.exe'),
    # The words after job.
    [string[]] $LatencyJob = @('submit','/nodegroup:azurenodes','/numnodes:4','mpiexec','-c','1','-affinity','mpipingpong','-p','1:100000','-op','-s','nul'),
    [string[]] $ThroughputJob = @('submit','/nodegroup:azurenodes','/numnodes:4','mpiexec','-c','1','-affinity','mpipingpong','-p','4000000:1000','-op','-s','nul'),
    # No days for nodes that an administrator starts.
    [string[]] $Days = @('Monday','Tuesday','Wednesday','Thursday','Friday'),
    [string] $StartAt = '08:00',
    [string] $StopAt = '18:00',
    [string] $TaskName = 'clusterwright hpc2',
    [hashtable] $Texts = @{
        'Certificate' = 'the head node has certificate 0123456789ABCDEF0123456789ABCDEF01234567 with its private key'
        'Services' = 'cloud service hpc2-burst and storage account hpc2burststore, both in China North'
        'NodeTemplate' = 'AzureRdma comes with the configuration file of the new head node, or is imported'
        'AddNodes' = 'Add-HpcNodeSet until there are 4 nodes of size A8'
        'Start' = '4 nodes of template AzureRdma, with 2 proxy nodes of the same size; billed from here'
        'Wait' = 'until all are provisioned, which takes many minutes'
        'Online' = '4 nodes of template AzureRdma, after their firewall knows the MPI programs; the scheduler starts jobs on them at once'
        'Schedule' = '4 nodes of template AzureRdma run from 08:00 to 18:00 on Monday, Tuesday, Wednesday, Thursday, Friday, by two scheduled tasks of this machine'
        'Unschedule' = 'removes the two scheduled tasks; the nodes keep their state'
        'Submit' = 'mpipingpong for latency and throughput on group azurenodes'
        'Offline' = '4 nodes of template AzureRdma, when their jobs have ended'
        'Stop' = '4 nodes of template AzureRdma; no longer billed'
    }
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

function Get-OwnNode([string] $State) {
    if ($State) {
        Get-HpcNode -TemplateName $NodeTemplate -State $State -ErrorAction SilentlyContinue
    }
    else {
        Get-HpcNode -TemplateName $NodeTemplate -ErrorAction SilentlyContinue
    }
}

function Get-FailedNode {
    Get-HpcNode -TemplateName $NodeTemplate -HealthState Error -ErrorAction SilentlyContinue
}

# The nodes in one of these states, or all of them.
function Get-ClusterNode([string[]] $State) {
    if ($State) {
        foreach ($one in $State) {
            Get-OwnNode -State $one
        }
    }
    else {
        Get-OwnNode
    }
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

# Registers the MPI programs with the firewall of nodes, before their first job; it may run again. Sources: hpcfwutil and clusrun of the command
# reference of HPC Pack (learn.microsoft.com, gg243461 and cc947685).
function Open-NodeFirewall($Nodes) {
    $list = ($Nodes | ForEach-Object { $_.NetBiosName }) -join ','
    for ($i = 0; $i -lt $ProgramNames.Count; $i++) {
        clusrun "/nodes:$list" hpcfwutil register $ProgramNames[$i] $ProgramPaths[$i]
        if ($LASTEXITCODE -ne 0) { throw "hpcfwutil did not register $($ProgramNames[$i]) on every node; see the output of clusrun above" }
    }
}

function Invoke-BurstCertificate {
    if ($Thumbprint) {
        $own = Get-Item -LiteralPath "Cert:\LocalMachine\My\$Thumbprint" -ErrorAction SilentlyContinue
        if (-not $own -or -not $own.HasPrivateKey) { throw "certificate $Thumbprint with its private key is not in Local Computer\Personal; import its .pfx there" }
        if (-not (Test-Path -LiteralPath "Cert:\LocalMachine\Root\$Thumbprint")) { throw "certificate $Thumbprint is not in Local Computer\Trusted Root; import its .cer there" }
        return
    }
    $file = 'C:\Program Files\Microsoft HPC Pack 2012\Bin\hpccert.cer'
    if (-not (Test-Path -LiteralPath $file)) { throw "there is no $file; is HPC Pack 2012 R2 installed here?" }
    Write-Warning -Message 'The default certificate is for test deployments only: every user of HPC Pack has its private key.'
    Write-Host "Upload $file to the management certificates of the subscription, unless it is there."
}

function Select-BurstSubscription {
    if ($Thumbprint) {
        $own = Get-Item -LiteralPath "Cert:\LocalMachine\My\$Thumbprint"
        if ($Environment) {
            Set-AzureSubscription -SubscriptionName 'clusterwright-burst' -SubscriptionId $SubscriptionId -Certificate $own -Environment $Environment
        }
        else {
            Set-AzureSubscription -SubscriptionName 'clusterwright-burst' -SubscriptionId $SubscriptionId -Certificate $own
        }
    }
    elseif ($Environment) {
        Set-AzureSubscription -SubscriptionId $SubscriptionId -Environment $Environment
    }
    Select-AzureSubscription -SubscriptionId $SubscriptionId
}

# Creates what is missing, and refuses what is in another region.
function Invoke-BurstServices {
    Import-Module -Name 'Azure'
    if ($SubscriptionId) { Select-BurstSubscription }
    $known = Get-AzureService -ServiceName $CloudService -ErrorAction SilentlyContinue
    if (-not $known) {
        New-AzureService -ServiceName $CloudService -Location $Location | Out-Null
    }
    elseif ($known.Location -and $known.Location -ne $Location) { throw "cloud service $CloudService is in $($known.Location), and must be in $Location" }
    $known = Get-AzureStorageAccount -StorageAccountName $StorageAccount -ErrorAction SilentlyContinue
    if (-not $known) {
        New-AzureStorageAccount -StorageAccountName $StorageAccount -Location $Location | Out-Null
    }
    elseif ($known.Location -and $known.Location -ne $Location) { throw "storage account $StorageAccount is in $($known.Location), and must be in $Location" }
}

# Imports the node template of HPC Pack, unless it exists.
function Invoke-BurstNodeTemplate {
    if (Get-HpcNodeTemplate -Name $NodeTemplate -ErrorAction SilentlyContinue) { return }
    if (-not (Test-Path -LiteralPath $NodeTemplateFile)) { throw "there is no node template $NodeTemplate and no file $NodeTemplateFile. No cmdlet makes a template of Azure nodes: make it in the Create Node Template wizard, export it with Export-HpcNodeTemplate, and give the file as -NodeTemplateFile." }
    if ([IO.Path]::GetFileNameWithoutExtension($NodeTemplateFile) -ne $NodeTemplate) { throw "the file's name becomes the template's name: call it $NodeTemplate.xml" }
    Import-HpcNodeTemplate -Path $NodeTemplateFile
}

function Invoke-BurstAddNodes {
    $missing = $Count - @(Get-ClusterNode).Count
    if ($missing -gt 0) {
        $template = Get-HpcNodeTemplate -Name $NodeTemplate
        Add-HpcNodeSet -Template $template -Quantity $missing -Size $Size
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

# Two scheduled tasks run this script again at their hours. No cmdlet writes the availability policy of a node template: the template stays
# manual, and the tasks do what the policy would.
function Invoke-BurstSchedule {
    if (-not $Days) { throw 'there are no hours: write hpcPack.burst.hours in the description, and render this script again' }
    $path = $PSCommandPath.Replace("'", "''")
    $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -NonInteractive -ExecutionPolicy Bypass -Command `"& '$path' -Step Start,Wait,Online`""
    $trigger = New-ScheduledTaskTrigger -Weekly -DaysOfWeek $Days -At $StartAt
    Register-ScheduledTask -TaskName "$TaskName start" -Action $action -Trigger $trigger -User 'SYSTEM' -RunLevel Highest -Force | Out-Null
    $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -NonInteractive -ExecutionPolicy Bypass -Command `"& '$path' -Step Offline,Stop`""
    $trigger = New-ScheduledTaskTrigger -Weekly -DaysOfWeek $Days -At $StopAt
    Register-ScheduledTask -TaskName "$TaskName stop" -Action $action -Trigger $trigger -User 'SYSTEM' -RunLevel Highest -Force | Out-Null
}

function Invoke-BurstUnschedule {
    foreach ($name in @("$TaskName start", "$TaskName stop")) {
        if (Get-ScheduledTask -TaskName $name -ErrorAction SilentlyContinue) { Unregister-ScheduledTask -TaskName $name -Confirm:$false }
    }
}

# Nothing is piped in, so that a question for a password ends the command in place of hanging.
function Invoke-BurstSubmit {
    $null | job $LatencyJob
    if ($LASTEXITCODE -ne 0) { throw "job submit failed with $LASTEXITCODE; without cached credentials run: hpccred setcreds" }
    $null | job $ThroughputJob
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
        $template = Get-HpcNodeTemplate -Name $NodeTemplate
        Stop-HpcNodeSet -Template $template -Force $true -Async $true
    }
    Wait-NodeState -Wanted @('NotDeployed') -Passing @('Online','Draining','Offline','Stopping','Removing')
}

if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) { Add-PSSnapin -Name Microsoft.HPC }
foreach ($one in $Step) {
    Write-Host "${one}: $($Texts[$one])"
    switch ($one) {
        'Certificate' { Invoke-BurstCertificate }
        'Services' { Invoke-BurstServices }
        'NodeTemplate' { Invoke-BurstNodeTemplate }
        'AddNodes' { Invoke-BurstAddNodes }
        'Start' { Invoke-BurstStart }
        'Wait' { Invoke-BurstWait }
        'Online' { Invoke-BurstOnline }
        'Schedule' { Invoke-BurstSchedule }
        'Unschedule' { Invoke-BurstUnschedule }
        'Submit' { Invoke-BurstSubmit }
        'Offline' { Invoke-BurstOffline }
        'Stop' { Invoke-BurstStop }
    }
}
