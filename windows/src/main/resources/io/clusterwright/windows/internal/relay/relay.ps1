# Starts a command apart from this script, or sees how one is getting on. What to do stands in variables before this.
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$base = Join-Path -Path $env:ProgramData -ChildPath 'clusterwright-relay'
$folder = Join-Path -Path $base -ChildPath $cwJob

# The last line that this prints: state, status, and for each stream how much there is, how much of it is here, and that.
function Write-Answer([string] $State, [int] $Status, [string] $Out, [string] $Err) {
    Write-Output -InputObject "clusterwright-relay $cwJob $State $Status $Out $Err"
}

function Get-Part([string] $Name) {
    Join-Path -Path $folder -ChildPath $Name
}

function New-JobFolder {
    if (-not (Test-Path -LiteralPath $base)) {
        New-Item -Path $base -ItemType Directory | Out-Null
        # Only LocalSystem and administrators: input and output may hold secrets.
        icacls.exe $base /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' /q | Out-Null
    }
    if (-not (Test-Path -LiteralPath $folder)) {
        New-Item -Path $folder -ItemType Directory | Out-Null
    }
}

function Add-Unpacked([string] $Name, [string] $Packed) {
    $from = New-Object -TypeName System.IO.MemoryStream -ArgumentList (, [System.Convert]::FromBase64String($Packed))
    $unzip = New-Object -TypeName System.IO.Compression.GZipStream -ArgumentList $from, ([System.IO.Compression.CompressionMode]::Decompress)
    $to = [System.IO.File]::Open((Get-Part -Name $Name), [System.IO.FileMode]::OpenOrCreate)
    try {
        if ($to.Length -lt $cwFrom) {
            throw "a part of the command's input is missing"
        }
        # What is there beyond the offset came with this script before, and its answer was lost.
        $to.SetLength($cwFrom)
        $to.Seek(0, [System.IO.SeekOrigin]::End) | Out-Null
        $unzip.CopyTo($to)
    } finally {
        $to.Dispose()
        $unzip.Dispose()
    }
}

function Get-PackedText([byte[]] $Bytes, [int] $Count) {
    $to = New-Object -TypeName System.IO.MemoryStream
    $zip = New-Object -TypeName System.IO.Compression.GZipStream -ArgumentList $to, ([System.IO.Compression.CompressionMode]::Compress)
    $zip.Write($Bytes, 0, $Count)
    $zip.Dispose()
    [System.Convert]::ToBase64String($to.ToArray())
}

# How much of a stream there is, how much of it from an offset on fits into so many characters, and that.
function Get-Piece([string] $Name, [long] $Offset, [int] $Room) {
    $file = [System.IO.File]::Open((Get-Part -Name $Name), [System.IO.FileMode]::Open, [System.IO.FileAccess]::Read, [System.IO.FileShare]::ReadWrite)
    try {
        $total = $file.Length
        $count = [int][System.Math]::Min($total - $Offset, 262144)
        if ($count -le 0) {
            return "$total 0 -"
        }
        $bytes = New-Object -TypeName byte[] -ArgumentList $count
        $file.Seek($Offset, [System.IO.SeekOrigin]::Begin) | Out-Null
        $count = $file.Read($bytes, 0, $count)
    } finally {
        $file.Dispose()
    }
    $text = Get-PackedText -Bytes $bytes -Count $count
    while ($text.Length -gt $Room -and $count -gt 1) {
        $count = [int][System.Math]::Max(1, [System.Math]::Floor($count * 0.9 * $Room / $text.Length))
        $text = Get-PackedText -Bytes $bytes -Count $count
    }
    "$total $count $text"
}

# Whether the process that a file names, by its number and its start, is there.
function Test-Running([string] $Name) {
    $file = Get-Part -Name $Name
    if (-not (Test-Path -LiteralPath $file)) {
        return $false
    }
    $words = [System.IO.File]::ReadAllText($file).Split(' ')
    $found = Get-Process -Id ([int]$words[0]) -ErrorAction SilentlyContinue
    [bool]($found -and $found.StartTime.ToFileTimeUtc() -eq [long]$words[1])
}

function Stop-Tree([string] $Name) {
    if (Test-Running -Name $Name) {
        $words = [System.IO.File]::ReadAllText((Get-Part -Name $Name)).Split(' ')
        # Not an error when a process ends by itself meanwhile.
        cmd.exe /d /c "taskkill.exe /PID $($words[0]) /T /F >nul 2>&1" | Out-Null
    }
}

function Wait-RelayJob {
    $until = (Get-Date).AddSeconds($cwSeconds)
    while (-not (Test-Path -LiteralPath (Get-Part -Name 'status')) -and (Get-Date) -lt $until) {
        Start-Sleep -Milliseconds 200
    }
}

function Start-RelayJob {
    [System.IO.File]::WriteAllBytes((Get-Part -Name 'order.json'), [System.Convert]::FromBase64String($cwOrder))
    [System.IO.File]::WriteAllBytes((Get-Part -Name 'run.ps1'), [System.Convert]::FromBase64String($cwRunner))
    [System.IO.File]::WriteAllBytes((Get-Part -Name 'out'), (New-Object -TypeName byte[] -ArgumentList 0))
    [System.IO.File]::WriteAllBytes((Get-Part -Name 'err'), (New-Object -TypeName byte[] -ArgumentList 0))
    # Windows itself starts it, so that it is no child of this script and does not end with it.
    $line = "powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File `"$(Get-Part -Name 'run.ps1')`" `"$folder`""
    $made = Invoke-CimMethod -ClassName Win32_Process -MethodName Create -Arguments @{ CommandLine = $line }
    if ($made.ReturnValue -ne 0) {
        throw "the command could not be started: Win32_Process.Create says $($made.ReturnValue)"
    }
    $started = Get-Process -Id $made.ProcessId -ErrorAction SilentlyContinue
    if ($started) {
        [System.IO.File]::WriteAllText((Get-Part -Name 'runner'), "$($made.ProcessId) $($started.StartTime.ToFileTimeUtc())")
    }
}

# This script may come once more, when its answer is lost: then it answers the same.
function Set-RelayJobTaken {
    Remove-Item -LiteralPath (Get-Part -Name 'in') -Force -ErrorAction SilentlyContinue
    [System.IO.File]::WriteAllText((Get-Part -Name 'taken'), '')
}

# Of other jobs whose output was taken, only that they were there stays, and that for a day.
function Clear-OtherJob {
    if (-not (Test-Path -LiteralPath $base)) {
        return
    }
    foreach ($other in @(Get-ChildItem -LiteralPath $base)) {
        $taken = Join-Path -Path $other.FullName -ChildPath 'taken'
        if ($other.FullName -eq $folder -or -not (Test-Path -LiteralPath $taken)) {
            continue
        }
        if ((Get-Item -LiteralPath $taken).LastWriteTime -lt (Get-Date).AddDays(-1)) {
            Remove-Item -LiteralPath $other.FullName -Recurse -Force -ErrorAction SilentlyContinue
            continue
        }
        foreach ($file in @(Get-ChildItem -LiteralPath $other.FullName)) {
            if ($file.Name -ne 'taken') {
                Remove-Item -LiteralPath $file.FullName -Force -ErrorAction SilentlyContinue
            }
        }
    }
}

function Remove-RelayJob {
    Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction SilentlyContinue
}

function Write-Report {
    if (-not (Test-Path -LiteralPath (Get-Part -Name 'out'))) {
        Remove-RelayJob
        Write-Answer -State 'lost' -Status 0 -Out '0 0 -' -Err '0 0 -'
        return
    }
    $state = 'running'
    $status = 0
    $alive = Test-Running -Name 'runner'
    if (Test-Path -LiteralPath (Get-Part -Name 'status')) {
        $state = 'ended'
        $status = [int][System.IO.File]::ReadAllText((Get-Part -Name 'status'))
    } elseif (-not $alive) {
        $state = 'lost'
    }
    $room = $cwCharacters
    if ((Get-Item -LiteralPath (Get-Part -Name 'out')).Length -gt $cwOut -and (Get-Item -LiteralPath (Get-Part -Name 'err')).Length -gt $cwErr) {
        $room = [int][System.Math]::Floor($room / 2)
    }
    $out = Get-Piece -Name 'out' -Offset $cwOut -Room $room
    $err = Get-Piece -Name 'err' -Offset $cwErr -Room $room
    $outWords = $out.Split(' ')
    $errWords = $err.Split(' ')
    $all = $cwOut + [long]$outWords[1] -ge [long]$outWords[0] -and $cwErr + [long]$errWords[1] -ge [long]$errWords[0]
    if ($state -eq 'lost' -or ($state -eq 'ended' -and $all)) {
        Set-RelayJobTaken
    }
    Write-Answer -State $state -Status $status -Out $out -Err $err
}

Clear-OtherJob
switch ($cwVerb) {
    'stage' {
        New-JobFolder
        Add-Unpacked -Name 'in' -Packed $cwInput
        Write-Answer -State 'staged' -Status 0 -Out '0 0 -' -Err '0 0 -'
    }
    'launch' {
        $started = Test-Path -LiteralPath (Get-Part -Name 'out')
        if (-not $started -and (Test-Path -LiteralPath (Get-Part -Name 'taken'))) {
            Write-Answer -State 'lost' -Status 0 -Out '0 0 -' -Err '0 0 -'
        } else {
            if (-not $started) {
                New-JobFolder
                Add-Unpacked -Name 'in' -Packed $cwInput
                Start-RelayJob
            }
            Wait-RelayJob
            Write-Report
        }
    }
    'look' {
        Wait-RelayJob
        Write-Report
    }
    'end' {
        Stop-Tree -Name 'leader'
        Stop-Tree -Name 'runner'
        Write-Report
        Remove-RelayJob
    }
}
