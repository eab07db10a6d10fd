package io.clusterwright.windows.internal.backend;

import io.clusterwright.windows.internal.powershell.PowerShellCommand;
import io.clusterwright.windows.internal.powershell.PowerShellScript;

/**
 * A script that generalizes a machine for its capture. Sysprep goes on after its process has ended, so the script polls the image state until
 * it is the one before the first start; the capture stops the machine. Sources: Microsoft, "Generalize a VM before
 * creating an image", and "Windows Setup Installation Process" (ImageState).
 */
final class Sysprep {
    static final String MARKER = "clusterwright: the machine is generalized";
    private static final int MINUTES = 30;
    private static final String STATE = "HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Setup\\State";
    private static final String DONE = "IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE";

    private Sysprep() {}

    static String script() {
        return PowerShellScript.strict()
                .comment("Files of an earlier installation make sysprep fail.")
                .line("$panther = Join-Path -Path $env:windir -ChildPath 'Panther'")
                .run(PowerShellCommand.of("Remove-Item")
                        .expression("LiteralPath", "$panther")
                        .flag("Recurse")
                        .flag("Force")
                        .word("ErrorAction", "SilentlyContinue"))
                .line("$sysprep = Join-Path -Path $env:windir -ChildPath 'System32\\Sysprep\\sysprep.exe'")
                .line(
                        "$run = Start-Process -FilePath $sysprep -ArgumentList '/generalize /oobe /quit /quiet /mode:vm' -Wait -PassThru")
                .block(
                        "if ($run.ExitCode -ne 0)",
                        failed -> failed.line("throw \"sysprep.exe ended with $($run.ExitCode)\""))
                .line("$end = (Get-Date).AddMinutes(" + MINUTES + ")")
                .line("$state = ''")
                .block("while ($state -ne '" + DONE + "')", wait -> {
                    wait.block(
                            "if ((Get-Date) -gt $end)",
                            late -> late.line(
                                    "throw \"after " + MINUTES
                                            + " minutes the image is in state '$state'; see System32\\Sysprep\\Panther\\setuperr.log\""));
                    wait.line("Start-Sleep -Seconds 5");
                    wait.line("$state = (Get-ItemProperty -LiteralPath '" + STATE + "').ImageState");
                })
                .run(PowerShellCommand.of("Write-Output").text("InputObject", MARKER))
                .text();
    }
}
