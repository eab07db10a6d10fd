package io.clusterwright.azure.emulator;

/**
 * Plays the PowerShell of emulated machines with Windows, for tests: there is none here. It gets every script exactly as Azure would get
 * it, and what it answers is what the machine printed. That proves what is sent and how answers are read, and not that a Windows would do
 * as much. Called by several threads, one at a time for each machine.
 */
@FunctionalInterface
public interface PowerShellPlayer {

    /**
     * Runs a script.
     *
     * @param computer the computer name of the machine
     * @return what it printed on standard output
     */
    String run(String computer, String script);
}
