# Writes a file whose bytes are carried in Base64.
function Write-CarriedFile {
    param(
        [string] $Path,
        [string] $Content
    )
    New-Item -Path ([System.IO.Path]::GetDirectoryName($Path)) -ItemType Directory -Force | Out-Null
    [System.IO.File]::WriteAllBytes($Path, [System.Convert]::FromBase64String($Content))
}
