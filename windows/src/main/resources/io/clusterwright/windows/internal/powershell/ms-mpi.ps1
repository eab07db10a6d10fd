# Installs MS-MPI from its installer, unless it is installed.
function Install-MsMpi {
    param(
        [string] $Uri,
        [string] $Digest
    )
    if ($env:MSMPI_BIN -or (Test-Path -LiteralPath 'C:\Program Files\Microsoft MPI\Bin\mpiexec.exe')) { return }
    $setup = Join-Path -Path $env:TEMP -ChildPath 'msmpisetup.exe'
    Invoke-WebRequest -Uri $Uri -OutFile $setup -UseBasicParsing
    $hash = (Get-FileHash -LiteralPath $setup -Algorithm SHA256).Hash
    if ($hash -ne $Digest) {
        throw "msmpisetup.exe has the SHA-256 $hash, not the expected one"
    }
    $run = Start-Process -FilePath $setup -ArgumentList '-unattend -full' -Wait -PassThru
    if ($run.ExitCode -ne 0) {
        throw "msmpisetup.exe ended with $($run.ExitCode)"
    }
}
