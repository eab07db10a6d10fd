package io.clusterwright.examples.crash;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import java.nio.file.Path;

/** A session to a node that is in a test only: it has no streams and no files. */
public interface StubSession extends NodeSession {
    @Override
    default boolean isOpen() {
        return true;
    }

    @Override
    default RunningCommand start(Command command, RunningCommand.OutputListener output) {
        throw new IllegalStateException("nothing here streams");
    }

    @Override
    default void write(byte[] content, String remotePath, int mode) {
        throw new IllegalStateException("nothing here has files");
    }

    @Override
    default void upload(Path local, String remotePath, int mode) {
        throw new IllegalStateException("nothing here has files");
    }

    @Override
    default void download(String remotePath, Path local) {
        throw new IllegalStateException("nothing here has files");
    }

    @Override
    default void close() {}
}
