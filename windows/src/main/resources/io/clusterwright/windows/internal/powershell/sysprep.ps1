# Generalizes a machine for its capture. Sysprep goes on after its process has ended, so the image state is polled until it is the one before
# the first start. Sources: Microsoft, "Generalize a VM before creating an image", and "Windows Setup Installation Process" (ImageState).
param(
    [int] $DeadlineMinutes = 30
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

# Files of an earlier installation make sysprep fail.
$panther = Join-Path -Path $env:windir -ChildPath 'Panther'
Remove-Item -LiteralPath $panther -Recurse -Force -ErrorAction SilentlyContinue
$sysprep = Join-Path -Path $env:windir -ChildPath 'System32\Sysprep\sysprep.exe'
$run = Start-Process -FilePath $sysprep -ArgumentList '/generalize /oobe /quit /quiet /mode:vm' -Wait -PassThru
if ($run.ExitCode -ne 0) {
    throw "sysprep.exe ended with $($run.ExitCode)"
}
$end = (Get-Date).AddMinutes($DeadlineMinutes)
$state = ''
while ($state -ne 'IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE') {
    if ((Get-Date) -gt $end) {
        throw "after $DeadlineMinutes minutes the image is in state '$state'; see System32\Sysprep\Panther\setuperr.log"
    }
    Start-Sleep -Seconds 5
    $state = (Get-ItemProperty -LiteralPath 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Setup\State').ImageState
}
Write-Output -InputObject 'clusterwright: the machine is generalized'
