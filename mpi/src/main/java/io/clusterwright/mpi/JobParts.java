package io.clusterwright.mpi;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.preset.MpiPreset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a job is made of. Changed only while an {@link MpiJob} makes a copy of its own. */
final class JobParts {
    List<String> program;
    int ranks;
    int ranksPerNode;
    Map<String, String> environment = Map.of();
    String workingDirectory = "";

    @Nullable
    MpiFlavour flavour;

    @Nullable
    MpiInstallation installation;

    boolean labelled = true;

    @Nullable
    LaunchPath path;

    @Nullable
    MpiPreset preset;

    Binding binding = Binding.DEFAULT;

    @Nullable
    JobInput input;

    List<StageIn> stageIn = List.of();
    List<StageOut> stageOut = List.of();
    Duration stagingLimit = Duration.ofHours(1);

    JobParts(List<String> program) {
        this.program = program;
    }

    JobParts copy() {
        JobParts copy = new JobParts(program);
        copy.ranks = ranks;
        copy.ranksPerNode = ranksPerNode;
        copy.environment = environment;
        copy.workingDirectory = workingDirectory;
        copy.flavour = flavour;
        copy.installation = installation;
        copy.labelled = labelled;
        copy.path = path;
        copy.preset = preset;
        copy.binding = binding;
        copy.input = input;
        copy.stageIn = stageIn;
        copy.stageOut = stageOut;
        copy.stagingLimit = stagingLimit;
        return copy;
    }
}
