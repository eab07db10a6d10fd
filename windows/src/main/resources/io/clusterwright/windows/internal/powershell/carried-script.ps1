# Runs a script in a separate process; its text is carried in Base64.
function Invoke-CarriedScript {
    param(
        [string] $Name,
        [string] $Content
    )
    $file = Join-Path -Path $env:TEMP -ChildPath 'clusterwright-script.ps1'
    $code = [System.Text.Encoding]::Unicode.GetString([System.Convert]::FromBase64String($Content))
    [System.IO.File]::WriteAllText($file, $code, [System.Text.Encoding]::UTF8)
    $words = "-NoProfile -NonInteractive -ExecutionPolicy Bypass -File `"$file`""
    $run = Start-Process -FilePath 'powershell.exe' -ArgumentList $words -NoNewWindow -Wait -PassThru
    Remove-Item -LiteralPath $file -Force
    if ($run.ExitCode -ne 0) {
        throw "script $Name ended with $($run.ExitCode)"
    }
}
