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

