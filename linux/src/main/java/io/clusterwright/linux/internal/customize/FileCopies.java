package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.NetworkConfigGuard;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.NodePath;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of the spec, copied to where only root can write. */
final class FileCopies {
    /** Beyond this a file is no configuration that could name a network interface. */
    private static final long READ_FOR_THE_GUARD = 1 << 20;

    private FileCopies() {}

    static void run(NodeSetup setup) {
        List<FileCopy> files = setup.customization().files();
        if (files.isEmpty()) {
            return;
        }
        List<NodePath> configured = files.stream()
                .map(FileCopy::to)
                .filter(to -> to.startsWith("/etc/"))
                .map(NodePath::of)
                .toList();
        NodeFiles now = NodeFiles.read(setup.session(), configured);
        configured.forEach(path -> NetworkConfigGuard.check(path.path(), now.text(path)));
        for (FileCopy file : files) {
            copy(setup, file);
            setup.report("file " + file.to());
        }
    }

    static void write(CloudConfig data) {
        List<FileCopy> files = data.customization().files();
        for (int i = 0; i < files.size(); i++) {
            FileCopy file = files.get(i);
            data.put("image.customize.files[" + i + "].from", file.from(), file.to(), file.mode());
        }
    }

    private static void copy(NodeSetup setup, FileCopy file) {
        Path local = setup.spec().resolve(file.from());
        NetworkConfigGuard.check(file.to(), contentFor(local));
        String there = Nonce.temporaryPath();
        try {
            setup.session().upload(local, there, 0600);
            setup.run(Command.of(
                            "install",
                            "-D",
                            "-T",
                            "-m",
                            file.mode().toString(),
                            "-o",
                            "root",
                            "-g",
                            "root",
                            "--",
                            there,
                            file.to())
                    .elevate());
        } finally {
            setup.session().run(Command.of("rm", "-f", "--", there));
        }
    }

    private static String contentFor(Path local) {
        try {
            return Files.size(local) > READ_FOR_THE_GUARD ? "" : Files.readString(local, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot read " + local + ", a file of image.customize.files: " + Reason.of(e), e);
        }
    }
}
