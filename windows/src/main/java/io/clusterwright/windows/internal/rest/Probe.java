package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.ApiGeneration;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackException;
import java.util.List;

/**
 * The generation and version of a head node.
 *
 * @param dialect its generation of the interface
 * @param version its version, such as {@code 6.1.7531.0}; empty when it sends none
 */
public record Probe(Dialect dialect, String version) {

    /** Asks the head node, unless the connection names the generation. */
    public static Probe of(HeadNodeHttp http, HpcPackConnection connection) {
        ApiGeneration known = connection.generation().orElse(null);
        if (known != null) {
            return new Probe(dialect(http, known), "");
        }
        Request version = Request.of("ask for the version", "GET", "/hpc", List.of("cluster", "version"))
                .header("Accept", JsonText.TYPE);
        HeadNodeHttp.Answer answer = http.send(version);
        if (answer.status() == 404) {
            return old(http);
        }
        if (answer.status() / 100 != 2) {
            throw ErrorText.of(version, answer, http.headNode());
        }
        String text = JsonText.read(version, answer).asText("");
        if (!text.matches("\\d+(\\.\\d+)*")) {
            throw JsonText.strange(version, answer, "version");
        }
        int major = Integer.parseInt(text.replaceFirst("\\..*", ""));
        return new Probe(dialect(http, major >= 6 ? ApiGeneration.HPC_2019 : ApiGeneration.HPC_2016), text);
    }

    private static Probe old(HeadNodeHttp http) {
        Dialect dialect = dialect(http, ApiGeneration.WINDOWS_HPC);
        try {
            dialect.nodeGroups();
        } catch (HpcPackException.NotFound e) {
            throw new HpcPackException.NotFound("there is no REST interface of HPC Pack at " + http.headNode()
                    + ": neither /hpc nor /WindowsHPC is known there; check the address, and that the service is on"
                    + " (Set-HPCWebComponents.ps1 -Service REST -enable)");
        }
        return new Probe(dialect, "");
    }

    private static Dialect dialect(HeadNodeHttp http, ApiGeneration generation) {
        return generation == ApiGeneration.WINDOWS_HPC ? new WindowsHpcDialect(http) : new HpcDialect(http, generation);
    }
}
