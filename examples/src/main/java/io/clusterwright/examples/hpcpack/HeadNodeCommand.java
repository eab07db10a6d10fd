package io.clusterwright.examples.hpcpack;

import io.clusterwright.windows.hpcpack.HpcPackClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** A command that a head node carries out. */
@Command
abstract class HeadNodeCommand implements Callable<Integer> {
    @ParentCommand
    private HpcPackCommand head = new HpcPackCommand();

    /** Does the work; returns the exit status. */
    abstract int run(HpcPackClient client);

    /** Refuses arguments before the head node is asked. */
    void check() {}

    @Override
    public Integer call() {
        check();
        try (HpcPackClient client = head.open()) {
            return run(client);
        }
    }

    /** The head node's address, login and output. */
    final HpcPackCommand head() {
        return head;
    }
}
