param(
    [ValidateSet('Certificate', 'Services', 'NodeTemplate', 'AddNodes', 'Start', 'Wait', 'Online', 'Schedule', 'Unschedule', 'Submit', 'Offline', 'Stop')]
    [string[]] $Step = @('Certificate', 'Services', 'NodeTemplate', 'AddNodes', 'Start', 'Wait', 'Online'),
    [string] $NodeTemplate = 'AzureRdma',
    [string] $NodeTemplateFile = "$NodeTemplate.xml",
    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 60,
    [int] $Count = 4,
    [string] $Size = 'A8',
    # The thumbprint of the management certificate; empty for the default certificate of HPC Pack.
    [string] $Thumbprint = '',
    # Empty for the subscription and the cloud that are selected.
    [string] $SubscriptionId = '',
    [string] $Environment = '',
    [string] $Location = 'West US',
    [string] $CloudService = 'hpc1-burst',
    [string] $StorageAccount = 'hpc1burststore',
    [string[]] $ProgramNames = @(),
    [string[]] $ProgramPaths = @(),
    # The words after job.
    [string[]] $LatencyJob = @('submit'),
    [string[]] $ThroughputJob = @('submit'),
    # No days for nodes that an administrator starts.
    [string[]] $Days = @(),
    [string] $StartAt = '08:00',
    [string] $StopAt = '18:00',
    [string] $TaskName = 'clusterwright hpc1',
    [hashtable] $Texts = @{}
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

. .\nodes.ps1
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

. .\node-template.ps1
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
