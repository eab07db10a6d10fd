param(
    [string] $EncodedPath = 'QzpcYS50eHQ='
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$path = [System.Text.Encoding]::UTF8.GetString([System.Convert]::FromBase64String($EncodedPath))
$part = $path + '.' + $PID + '.part'
[System.IO.Directory]::CreateDirectory([System.IO.Path]::GetDirectoryName($path)).FullName | Out-Null
try {
    $file = [System.IO.File]::Create($part)
    try {
        [System.Console]::OpenStandardInput().CopyTo($file)
    }
    finally {
        $file.Dispose()
    }
    Move-Item -LiteralPath $part -Destination $path -Force
}
finally {
    if (Test-Path -LiteralPath $part) {
        Remove-Item -LiteralPath $part -Force
    }
}
