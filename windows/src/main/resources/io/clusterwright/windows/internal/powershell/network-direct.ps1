# Fails unless a driver brought a provider of NetworkDirect. No cmdlet lists hidden providers, which have the flag 0x10 at 16 of each 628 bytes.
function Assert-NetworkDirect {
    $ws = Add-Type -MemberDefinition '[DllImport("ws2_32.dll")] public static extern int WSCEnumProtocols(IntPtr protocols, IntPtr buffer, ref int length, out int error);' -Name 'Ws' -Namespace 'Clusterwright' -PassThru
    $length = 262144
    $code = 0
    $buffer = [System.Runtime.InteropServices.Marshal]::AllocHGlobal($length)
    $count = $ws::WSCEnumProtocols([System.IntPtr]::Zero, $buffer, [ref]$length, [ref]$code)
    if ($count -lt 0) {
        throw "WSCEnumProtocols failed with $code"
    }
    $direct = 0
    for ($i = 0; $i -lt $count; $i++) {
        $flags = [System.Runtime.InteropServices.Marshal]::ReadInt32($buffer, 628 * $i + 16)
        if ($flags -band 0x10) { $direct++ }
    }
    [System.Runtime.InteropServices.Marshal]::FreeHGlobal($buffer)
    if ($direct -eq 0) {
        throw 'no provider of NetworkDirect: install InfiniBandDriverWindows (HpcVmDrivers on A8, A9 and H16r), then restart'
    }
}
