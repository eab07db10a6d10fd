package io.clusterwright.examples.cli;

import picocli.CommandLine;

/** Tells the version that the build wrote into the jar. */
final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = ClusterwrightMain.class.getPackage().getImplementationVersion();
        return new String[] {"clusterwright " + (version == null ? "(not packaged)" : version)};
    }
}
