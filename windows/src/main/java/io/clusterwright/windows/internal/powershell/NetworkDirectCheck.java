package io.clusterwright.windows.internal.powershell;

/** Calls {@code WSCEnumProtocols} from PowerShell, which has no cmdlet for it. Offsets as in {@code ProviderTable}. */
public final class NetworkDirectCheck {
    private static final String CALL = "[DllImport(\"ws2_32.dll\")] public static extern int WSCEnumProtocols("
            + "IntPtr protocols, IntPtr buffer, ref int length, out int error);";

    private NetworkDirectCheck() {}

    /** Adds the call, and an error where it lists no provider. */
    public static void write(PowerShellScript script) {
        script.comment("NetworkDirect: hidden providers have the flag 0x10 at 16 of each 628 bytes")
                .line("$ws = Add-Type -MemberDefinition '" + CALL + "' -Name 'Ws' -Namespace 'Clusterwright' -PassThru")
                .line("$length = 262144")
                .line("$code = 0")
                .line("$buffer = [System.Runtime.InteropServices.Marshal]::AllocHGlobal($length)")
                .line("$count = $ws::WSCEnumProtocols([System.IntPtr]::Zero, $buffer, [ref]$length, [ref]$code)")
                .block("if ($count -lt 0)", then -> then.line("throw \"WSCEnumProtocols failed with $code\""))
                .line("$direct = 0")
                .block("for ($i = 0; $i -lt $count; $i++)", each -> {
                    each.line("$flags = [System.Runtime.InteropServices.Marshal]::ReadInt32($buffer, 628 * $i + 16)");
                    each.line("if ($flags -band 0x10) { $direct++ }");
                })
                .line("[System.Runtime.InteropServices.Marshal]::FreeHGlobal($buffer)")
                .block(
                        "if ($direct -eq 0)",
                        then -> then.line(
                                "throw 'no provider of NetworkDirect: install InfiniBandDriverWindows (HpcVmDrivers on A8, A9 and H16r), then restart'"));
    }
}
