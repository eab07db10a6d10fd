package io.clusterwright.windows.internal.burst;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.internal.jobs.SubmitCommand;
import io.clusterwright.windows.internal.pingpong.PingPongJobs;
import io.clusterwright.windows.internal.powershell.NodeFirewall;
import io.clusterwright.windows.internal.powershell.NodeStates;
import io.clusterwright.windows.internal.powershell.PowerShellCommand;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Writes a burst as a script of PowerShell: a function for each step, and a loop over those that are asked for. */
final class BurstScript {
    private static final String SUBSCRIPTION_NAME = "clusterwright-burst";
    private static final String DEFAULT_CERTIFICATE = "C:\\Program Files\\Microsoft HPC Pack 2012\\Bin\\hpccert.cer";
    private static final List<String> BEFORE_START = List.of("NotDeployed", "Provisioning", "Starting", "Unknown");

    private final Burst plan;
    private final PowerShellScript script = PowerShellScript.create();

    private BurstScript(Burst plan) {
        this.plan = plan;
    }

    static PowerShellScript of(Burst plan) {
        BurstScript writer = new BurstScript(plan);
        writer.head();
        writer.certificate();
        writer.services();
        writer.template();
        writer.nodes();
        writer.schedule();
        writer.jobs();
        writer.end();
        writer.run();
        return writer.script;
    }

    private void head() {
        int machines = plan.spec().nodes().count() + plan.burst().proxyNodes();
        script.comment("Burst of " + plan.spec().name() + ": "
                + plan.spec().nodes().count() + " worker roles of size " + plan.size()
                + " and " + plan.burst().proxyNodes() + " proxy nodes.\n"
                + "Run as administrator on the head node, an " + (plan.existingHead() ? "existing" : "own, new")
                + " one. Each step can be taken again.\n\n"
                + ".\\" + Burst.FILE_NAME + "                      "
                + (plan.schedule().isPresent()
                        ? "from the certificate to nodes that start and stop at their hours\n"
                        : "from the certificate to nodes that are online\n")
                + ".\\" + Burst.FILE_NAME + " -Step Submit         the two ping-pong jobs\n"
                + ".\\" + Burst.FILE_NAME + " -Step Offline,Stop   when no more jobs are to run\n\n"
                + machines + " machines are billed from Start to Stop.");
        script.line("param(");
        List<Burst.Action> all = List.copyOf(plan.steps().keySet());
        Burst.Action last = plan.schedule().isPresent() ? Burst.Action.ADD_NODES : Burst.Action.ONLINE;
        List<Burst.Action> first = new ArrayList<>(all.subList(0, all.indexOf(last) + 1));
        plan.schedule().ifPresent(schedule -> first.add(Burst.Action.SCHEDULE));
        script.line("    [ValidateSet(" + words(all) + ")]");
        script.line("    [string[]] $Step = @(" + words(first) + "),");
        script.line("    [string] $NodeTemplateFile = "
                + PowerShellQuoting.literal(plan.burst().nodeTemplate() + ".xml") + ",");
        script.line("    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 60");
        script.line(")");
        script.line("Set-StrictMode -Version 2.0");
        script.line("$ErrorActionPreference = 'Stop'");
        script.blank();
        NodeStates.define(
                script,
                PowerShellCommand.of("Get-HpcNode")
                        .text("TemplateName", plan.burst().nodeTemplate()));
        NodeFirewall.define(script, plan.programs());
    }

    private void certificate() {
        function(Burst.Action.CERTIFICATE, body -> {
            Optional<String> own = plan.burst().managementCertificate();
            if (own.isPresent()) {
                ownCertificate(body, own.get());
            } else {
                body.line("$file = " + PowerShellQuoting.literal(DEFAULT_CERTIFICATE));
                body.line(
                        "if (-not (Test-Path -LiteralPath $file)) { throw \"there is no $file; is HPC Pack 2012 R2 installed here?\" }");
                body.run(
                        PowerShellCommand.of("Write-Warning")
                                .text(
                                        "Message",
                                        "The default certificate is for test deployments only: everybody with HPC Pack has its key."));
                body.line(
                        "Write-Host \"Upload $file to the management certificates of the subscription, unless it is there.\"");
            }
        });
    }

    private static void ownCertificate(PowerShellScript body, String thumbprint) {
        body.line("$own = Get-Item -LiteralPath " + PowerShellQuoting.literal("Cert:\\LocalMachine\\My\\" + thumbprint)
                + " -ErrorAction SilentlyContinue");
        body.line("if (-not $own -or -not $own.HasPrivateKey) { throw "
                + PowerShellQuoting.literal("certificate " + thumbprint
                        + " with its private key is not in Local Computer\\Personal; import its .pfx there")
                + " }");
        body.line("if (-not (Test-Path -LiteralPath "
                + PowerShellQuoting.literal("Cert:\\LocalMachine\\Root\\" + thumbprint) + ")) { throw "
                + PowerShellQuoting.literal(
                        "certificate " + thumbprint + " is not in Local Computer\\Trusted Root; import its .cer there")
                + " }");
    }

    private void services() {
        String service = plan.burst().cloudService();
        String storage = plan.burst().storageAccount();
        function(Burst.Action.SERVICES, body -> {
            body.line("Import-Module -Name 'Azure'");
            plan.subscription().ifPresent(subscription -> selected(body, subscription.id()));
            made(body, "AzureService", "ServiceName", service, "cloud service");
            made(body, "AzureStorageAccount", "StorageAccountName", storage, "storage account");
        });
    }

    private void selected(PowerShellScript body, String subscription) {
        Optional<String> own = plan.burst().managementCertificate();
        if (own.isPresent()) {
            body.line("$own = Get-Item -LiteralPath "
                    + PowerShellQuoting.literal("Cert:\\LocalMachine\\My\\" + own.get()));
            PowerShellCommand set = PowerShellCommand.of("Set-AzureSubscription")
                    .text("SubscriptionName", SUBSCRIPTION_NAME)
                    .text("SubscriptionId", subscription)
                    .expression("Certificate", "$own");
            body.run(plan.environment()
                    .map(name -> set.text("Environment", name))
                    .orElse(set));
        } else {
            plan.environment()
                    .ifPresent(name -> body.run(PowerShellCommand.of("Set-AzureSubscription")
                            .text("SubscriptionId", subscription)
                            .text("Environment", name)));
        }
        body.run(PowerShellCommand.of("Select-AzureSubscription").text("SubscriptionId", subscription));
    }

    /** Makes what is missing, and refuses what is in another region. */
    private void made(PowerShellScript body, String noun, String parameter, String name, String what) {
        body.assign(
                "known",
                PowerShellCommand.of("Get-" + noun).text(parameter, name).word("ErrorAction", "SilentlyContinue"));
        body.block(
                "if (-not $known)",
                missing -> missing.run(PowerShellCommand.of("New-" + noun)
                        .text(parameter, name)
                        .text("Location", plan.location())
                        .then(PowerShellCommand.of("Out-Null"))));
        body.line("elseif ($known.Location -and $known.Location -ne " + PowerShellQuoting.literal(plan.location())
                + ") { throw \"" + what + " " + name + " is in $($known.Location), and must be in " + plan.location()
                + "\" }");
    }

    private void template() {
        String name = plan.burst().nodeTemplate();
        function(Burst.Action.NODE_TEMPLATE, body -> {
            body.line("if (Get-HpcNodeTemplate -Name " + PowerShellQuoting.literal(name)
                    + " -ErrorAction SilentlyContinue) { return }");
            body.line(
                    "if (-not (Test-Path -LiteralPath $NodeTemplateFile)) { throw \"there is no node template "
                            + name
                            + " and no file $NodeTemplateFile. No cmdlet makes a template of Azure nodes: make it in the Create Node"
                            + " Template wizard, export it with Export-HpcNodeTemplate, and give the file as -NodeTemplateFile.\" }");
            body.line("if ([IO.Path]::GetFileNameWithoutExtension($NodeTemplateFile) -ne "
                    + PowerShellQuoting.literal(name)
                    + ") { throw "
                    + PowerShellQuoting.literal("the file's name becomes the template's name: call it " + name + ".xml")
                    + " }");
            body.line("Import-HpcNodeTemplate -Path $NodeTemplateFile");
        });
    }

    private void nodes() {
        int count = plan.spec().nodes().count();
        function(Burst.Action.ADD_NODES, body -> {
            body.line("$missing = " + count + " - @(Get-ClusterNode).Count");
            body.block("if ($missing -gt 0)", add -> {
                add.assign(
                        "template",
                        PowerShellCommand.of("Get-HpcNodeTemplate")
                                .text("Name", plan.burst().nodeTemplate()));
                add.run(PowerShellCommand.of("Add-HpcNodeSet")
                        .expression("Template", "$template")
                        .expression("Quantity", "$missing")
                        .text("Size", plan.size()));
            });
        });
        function(Burst.Action.START, body -> {
            body.line("$stopped = " + NodeStates.in("NotDeployed"));
            body.line("if ($stopped.Count -gt 0) { Start-HpcAzureNode -Node $stopped -Async $true }");
        });
        function(
                Burst.Action.WAIT,
                body -> body.line(NodeStates.waitingForHealthy(List.of("Offline", "Online"), BEFORE_START)));
        function(Burst.Action.ONLINE, body -> {
            body.comment("The scheduler starts jobs on these nodes at once: restrict job templates to groups before.");
            body.line("$ready = " + NodeStates.in("Offline"));
            if (!plan.programs().isEmpty()) {
                body.line(NodeFirewall.call("ready", plan.programs()));
            }
            body.line("if ($ready.Count -gt 0) { Set-HpcNodeState -Node $ready -State Online -Confirm:$false }");
            body.line(NodeStates.waitingForHealthy(List.of("Online"), List.of("Offline", "Starting")));
        });
    }

    private void schedule() {
        String tasks = "clusterwright " + plan.spec().name();
        plan.schedule().ifPresent(schedule -> {
            function(Burst.Action.SCHEDULE, body -> schedule.register(body, tasks));
            function(Burst.Action.UNSCHEDULE, body -> BurstSchedule.unregister(body, tasks));
        });
    }

    private void jobs() {
        function(Burst.Action.SUBMIT, body -> {
            body.comment(
                    "Nothing is piped in, so that a question for a password ends the command in place of hanging.");
            PingPongJobs jobs = PingPongJobs.of(plan.spec(), Interconnect.NETWORK_DIRECT);
            for (HpcPackJob job : List.of(jobs.latency(), jobs.throughput())) {
                body.line("$null | job "
                        + SubmitCommand.words(job).stream()
                                .map(BurstScript::word)
                                .collect(Collectors.joining(" ")));
                body.line("if ($LASTEXITCODE -ne 0) { throw \"job submit failed with $LASTEXITCODE;"
                        + " without cached credentials run: hpccred setcreds\" }");
            }
        });
    }

    private void end() {
        function(Burst.Action.OFFLINE, body -> {
            body.line("$busy = " + NodeStates.in("Online"));
            body.line("if ($busy.Count -gt 0) { Set-HpcNodeState -Node $busy -State Offline -Confirm:$false }");
            body.line(NodeStates.waiting(List.of("Offline", "NotDeployed"), List.of("Online", "Draining", "Stopping")));
        });
        function(Burst.Action.STOP, body -> {
            body.line("$started = @(Get-ClusterNode).Count - " + NodeStates.in("NotDeployed") + ".Count");
            body.block("if ($started -gt 0)", stop -> {
                stop.assign(
                        "template",
                        PowerShellCommand.of("Get-HpcNodeTemplate")
                                .text("Name", plan.burst().nodeTemplate()));
                stop.run(PowerShellCommand.of("Stop-HpcNodeSet")
                        .expression("Template", "$template")
                        .truth("Force", true)
                        .truth("Async", true));
            });
            body.line(NodeStates.waiting(
                    List.of("NotDeployed"), List.of("Online", "Draining", "Offline", "Stopping", "Removing")));
        });
    }

    private void run() {
        script.line(
                "if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) { Add-PSSnapin -Name Microsoft.HPC }");
        script.block("switch ($Step)", body -> {
            plan.steps()
                    .forEach((action, description) -> body.line("'" + action + "' { Write-Host "
                            + PowerShellQuoting.literal(action + ": " + description) + "; " + name(action) + " }"));
        });
    }

    private void function(Burst.Action action, Consumer<PowerShellScript> body) {
        script.block("function " + name(action), body);
        script.blank();
    }

    /** A word that PowerShell hands over as it is, in quotes where it needs them. */
    private static String word(String text) {
        return text.matches("[A-Za-z0-9/:._=+-]+") ? text : PowerShellQuoting.literal(text);
    }

    private static String name(Burst.Action action) {
        return "Invoke-Burst" + action;
    }

    private static String words(List<Burst.Action> actions) {
        List<String> words = new ArrayList<>();
        actions.forEach(action -> words.add("'" + action + "'"));
        return words.stream().collect(Collectors.joining(", "));
    }
}
