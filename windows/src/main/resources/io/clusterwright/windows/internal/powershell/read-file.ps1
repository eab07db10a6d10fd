param(
    [string] $EncodedPath = 'QzpcYS50eHQ=',
    [long] $MostBytes = 1000,
    [int] $TooLarge = 9
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$path = [System.Text.Encoding]::UTF8.GetString([System.Convert]::FromBase64String($EncodedPath))
$file = [System.IO.File]::OpenRead($path)
if ($file.Length -gt $MostBytes) {
    [System.Console]::Error.WriteLine($file.Length)
    exit $TooLarge
}
$file.CopyTo([System.Console]::OpenStandardOutput())
