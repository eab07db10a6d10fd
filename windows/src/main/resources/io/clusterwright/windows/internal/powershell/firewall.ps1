# Lets a program accept connections through the firewall.
function Open-Firewall {
    param(
        [string] $Name,
        [string] $Program
    )
    if (-not (Get-NetFirewallRule -Name $Name -ErrorAction SilentlyContinue)) {
        New-NetFirewallRule -Name $Name -DisplayName $Name -Direction Inbound -Action Allow -Program $Program | Out-Null
    }
}
