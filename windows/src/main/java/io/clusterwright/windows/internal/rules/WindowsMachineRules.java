package io.clusterwright.windows.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rules about parts of a customisation that Windows nodes lack, or have in another form. */
public final class WindowsMachineRules implements RuleSet {
    private static final String WINDOWS_PATH = "[A-Za-z]:\\\\[^<>:\"/|?*" + PrintableText.CONTROL + "]{1,240}";

    /** Creates the rules; they have no state. */
    public WindowsMachineRules() {}

    @Override
    public List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-WIN-008",
                        CLOUD,
                        "this part of image.customize is ignored on Windows",
                        "remove the field; use a newer image for updates, and image.customize.scripts for everything else",
                        WindowsMachineRules::leftOut),
                Rule.error(
                        "CW-WIN-009",
                        CLOUD,
                        "Windows nodes can have MS-MPI only, from its installer or in the image",
                        "write image: {customize: {mpi: {flavour: ms-mpi, install: {archive: https://…/msmpisetup.exe, sha256: …}}}}, or image: {customize: {mpi: {flavour: ms-mpi, install: image}}}",
                        WindowsMachineRules::mpi),
                Rule.error(
                        "CW-WIN-010",
                        CLOUD,
                        "the path of a file or script does not fit Windows",
                        "write a path such as C:\\app\\settings.txt for a file, and a name that ends with .ps1 for a script",
                        WindowsMachineRules::files),
                Rule.info(
                        "CW-WIN-011",
                        CLOUD,
                        "checks of MPI and of the fabric do not run on Windows nodes",
                        "run mpipingpong by hand, or as a job of HPC Pack",
                        (spec, facts, report) -> {
                            if (isWindows(spec)
                                    && spec.hpcPack().isEmpty()
                                    && spec.image().customize().mpi().isPresent()) {
                                report.add(
                                        "verify",
                                        "checks of MPI and of the fabric do not run on Windows nodes: each node runs one command as its check");
                            }
                        }));
    }

    private static boolean isWindows(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.WINDOWS;
    }

    private static void leftOut(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (!isWindows(spec)) {
            return;
        }
        Customization wanted = spec.image().customize();
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put("user", wanted.user().isPresent());
        given.put("updates", wanted.updates().install() != Updates.Install.NONE);
        given.put("packages", !wanted.packages().isEmpty());
        given.put("memlock", !wanted.memlock().isEmpty());
        given.put("ssh", !wanted.ssh().equals(SshTrust.builder().build()));
        given.forEach((part, there) -> {
            if (there) {
                report.add("image.customize." + part, part + " is ignored: operatingSystem is windows");
            }
        });
    }

    private static void mpi(ClusterSpec spec, Facts facts, Rule.Report report) {
        MpiInstall mpi = spec.image().customize().mpi().orElse(null);
        if (!isWindows(spec) || mpi == null || mpi.install() instanceof MpiSource.Image) {
            return;
        }
        boolean installer = mpi.install() instanceof MpiSource.Archive archive
                && "https".equals(archive.archive().getScheme());
        if (mpi.flavour() != MpiFlavour.MS_MPI || !installer) {
            report.add(
                    "image.customize.mpi",
                    mpi.flavour() + " from " + mpi.install() + " cannot be installed on Windows");
        }
    }

    private static void files(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (!isWindows(spec)) {
            return;
        }
        List<FileCopy> files = spec.image().customize().files();
        for (int i = 0; i < files.size(); i++) {
            if (!files.get(i).to().matches(WINDOWS_PATH)) {
                report.add("image.customize.files[" + i + "].to", files.get(i).to() + " is not a Windows path");
            }
        }
        List<Script> scripts = spec.image().customize().scripts();
        for (int i = 0; i < scripts.size(); i++) {
            if (!scripts.get(i).path().toLowerCase(Locale.ROOT).endsWith(".ps1")) {
                report.add(
                        "image.customize.scripts[" + i + "].path",
                        scripts.get(i).path() + " is not a PowerShell script (.ps1)");
            }
        }
    }
}
