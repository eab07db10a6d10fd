# Runs the command that a folder describes: its input comes from a file there, its output goes to files there.
param([string] $Folder)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$status = 127
try {
    try {
        # What the program prints through the console is in UTF-8 then, where it asks the console.
        [System.Console]::OutputEncoding = New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false
    } catch {
        Write-Verbose -Message 'there is no console'
    }
    $text = [System.IO.File]::ReadAllText((Join-Path -Path $Folder -ChildPath 'order.json'), [System.Text.Encoding]::UTF8)
    $order = ConvertFrom-Json -InputObject $text
    $info = New-Object -TypeName System.Diagnostics.ProcessStartInfo
    $info.FileName = $order.program
    $info.Arguments = $order.arguments
    $info.WorkingDirectory = $env:SystemDrive + '\'
    $info.UseShellExecute = $false
    $info.CreateNoWindow = $true
    $info.RedirectStandardInput = $true
    $info.RedirectStandardOutput = $true
    $info.RedirectStandardError = $true
    foreach ($variable in $order.environment) {
        $info.EnvironmentVariables[$variable.name] = $variable.value
    }
    # Without a buffer, so that what was printed can be seen while the program runs.
    $create = [System.IO.FileMode]::Create
    $write = [System.IO.FileAccess]::Write
    $share = [System.IO.FileShare]::ReadWrite
    $out = New-Object -TypeName System.IO.FileStream -ArgumentList (Join-Path -Path $Folder -ChildPath 'out'), $create, $write, $share, 1
    $err = New-Object -TypeName System.IO.FileStream -ArgumentList (Join-Path -Path $Folder -ChildPath 'err'), $create, $write, $share, 1
    try {
        $process = [System.Diagnostics.Process]::Start($info)
        $leader = "$($process.Id) $($process.StartTime.ToFileTimeUtc())"
        [System.IO.File]::WriteAllText((Join-Path -Path $Folder -ChildPath 'leader'), $leader)
        $copies = @($process.StandardOutput.BaseStream.CopyToAsync($out), $process.StandardError.BaseStream.CopyToAsync($err))
        $in = [System.IO.File]::OpenRead((Join-Path -Path $Folder -ChildPath 'in'))
        try {
            $in.CopyTo($process.StandardInput.BaseStream)
            $process.StandardInput.Close()
        } catch [System.IO.IOException] {
            Write-Verbose -Message 'the program does not read all of its input'
        } finally {
            $in.Dispose()
        }
        $process.WaitForExit()
        [System.Threading.Tasks.Task]::WaitAll($copies)
        $status = $process.ExitCode
    } catch {
        $bytes = [System.Text.Encoding]::UTF8.GetBytes("$($order.program): $($_.Exception.Message)")
        $err.Write($bytes, 0, $bytes.Length)
    } finally {
        $out.Dispose()
        $err.Dispose()
    }
} finally {
    $made = Join-Path -Path $Folder -ChildPath 'status.new'
    [System.IO.File]::WriteAllText($made, "$status")
    [System.IO.File]::Move($made, (Join-Path -Path $Folder -ChildPath 'status'))
}
