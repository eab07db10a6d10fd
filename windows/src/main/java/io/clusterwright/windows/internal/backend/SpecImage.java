package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.WindowsImageScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The script that makes of a machine what a spec says of its image. */
public final class SpecImage {
    private SpecImage() {}

    /** Reads the files and scripts that the spec names; what Windows has not is left to findings. */
    public static WindowsImageScript script(ClusterSpec spec) {
        Customization wanted = spec.image().customize();
        WindowsImageScript script = WindowsImageScript.create();
        MpiInstall mpi = wanted.mpi().orElse(null);
        if (mpi != null && mpi.flavour() == MpiFlavour.MS_MPI && mpi.install() instanceof MpiSource.Archive installer) {
            script = script.msMpi(installer.archive(), installer.sha256());
        }
        for (FirewallRule rule : spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of())) {
            script = script.firewall(rule.name(), rule.program());
        }
        for (FileCopy file : wanted.files()) {
            script = script.file(
                    file.to(), read("image.customize.files", spec.baseFolder().resolve(file.from())));
        }
        for (Script own : wanted.scripts()) {
            byte[] text = read("image.customize.scripts", spec.baseFolder().resolve(own.path()));
            script = script.script(own.name(), new String(text, StandardCharsets.UTF_8).replaceFirst("^\uFEFF", ""));
        }
        return script;
    }

    private static byte[] read(String field, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw InvalidValueException.of(
                    field + ": cannot read " + file + ": " + Reason.of(e), "name a file that can be read");
        }
    }
}
