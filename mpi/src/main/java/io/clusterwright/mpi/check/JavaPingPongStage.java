package io.clusterwright.mpi.check;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.pingpong.JavaPingPong;
import io.clusterwright.mpi.internal.pingpong.PingPongJars;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link JavaPingPong} on the nodes of a target, in a private folder that goes away with this. */
final class JavaPingPongStage implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4", "-XX:-UsePerfData", "-Xmx64m");

    private final List<NodeSession> sessions = new ArrayList<>();
    private final String folder;
    private final List<String> jars = new ArrayList<>();

    private JavaPingPongStage(String folder) {
        this.folder = folder;
    }

    /** Copies the program to every node; empty when one of them has no Java 17 or newer. */
    static Optional<JavaPingPongStage> on(NodeTarget target) {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        JavaPingPongStage stage =
                new JavaPingPongStage("/tmp/cwjava-" + HexFormat.of().formatHex(random));
        try {
            for (LaunchNode node : target.nodes()) {
                if (!hasJava(target.session(node.name()))) {
                    stage.close();
                    return Optional.empty();
                }
            }
            Map<String, Path> files = PingPongJars.files();
            for (LaunchNode node : target.nodes()) {
                stage.copy(target.session(node.name()), files);
            }
            files.keySet().forEach(name -> stage.jars.add(stage.folder + "/" + name));
            stage.jars.add(stage.folder + "/pingpong.jar");
            return Optional.of(stage);
        } catch (RuntimeException e) {
            stage.close();
            throw e;
        }
    }

    private static boolean hasJava(NodeSession session) {
        String script = "java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p'";
        String version = session.run(Command.of(List.of("/bin/sh", "-c", script)))
                .stdout()
                .strip();
        return version.matches("\\d+") && Integer.parseInt(version) >= 17;
    }

    private void copy(NodeSession session, Map<String, Path> files) {
        session.run(Command.of(List.of("mkdir", "-m", "0700", folder))).orThrow();
        sessions.add(session);
        files.forEach((name, file) -> session.upload(file, folder + "/" + name, 0600));
        session.write(PingPongJars.ownClasses(), folder + "/pingpong.jar", 0600);
    }

    /** The program for this MPI. */
    PingPongProgram program(MpiInstallation mpi) {
        List<String> argv = new ArrayList<>(List.of("java"));
        argv.addAll(JVM);
        argv.addAll(List.of("-Djava.io.tmpdir=" + folder, "-cp", String.join(":", jars), JavaPingPong.class.getName()));
        mpi.library().ifPresent(file -> argv.addAll(List.of("--library", file)));
        return PingPongProgram.java(argv);
    }

    @Override
    public void close() {
        for (NodeSession session : sessions) {
            try {
                session.run(Command.of(List.of("rm", "-rf", "--", folder)));
            } catch (ClusterwrightException e) {
                NodeName node = session.node();
                org.slf4j.LoggerFactory.getLogger(JavaPingPongStage.class)
                        .debug("{} stays on {}, which does not answer", folder, node, e);
            }
        }
    }
}
