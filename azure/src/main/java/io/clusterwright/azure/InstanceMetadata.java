package io.clusterwright.azure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Azure's Instance Metadata Service as a node sees it. It listens at an address that is not routed and answers the machine alone, so
 * that curl sends the requests on the node, past any proxy.
 *
 * @param base the URL of the service, as seen by the node
 */
record InstanceMetadata(String base) {
    /** The service of every virtual machine in a virtual network. */
    static final InstanceMetadata AZURE = new InstanceMetadata("http://169.254.169.254");

    private static final String EVENTS = "/metadata/scheduledevents?api-version=2020-07-01";
    private static final String NAME = "/metadata/instance/compute/name?api-version=2021-02-01&format=text";

    /** The first answer about events may take two minutes. */
    private static final Duration ANSWER = Duration.ofSeconds(150);

    private static final int OK = 200;
    private static final int NO_SUCH_PROGRAM = 127;

    /**
     * Parses an answer.
     *
     * @throws ClusterwrightException when it is not JSON
     */
    static JsonNode json(NodeName node, String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ClusterwrightException(
                    "on " + node + ", the answer of the metadata service is not JSON: " + text.strip(), e);
        }
    }

    /** The document of scheduled events. */
    String events(NodeSession session) {
        return answer(session, "read the scheduled events", curl(EVENTS));
    }

    /** The name of the machine in Azure. */
    String machineName(NodeSession session) {
        return answer(session, "read the name of the machine", curl(NAME)).strip();
    }

    /** Sends start requests. */
    void approve(NodeSession session, String body) {
        answer(
                session,
                "approve scheduled events",
                curl(EVENTS, "--header", "Content-Type: application/json", "--data-binary", "@-")
                        .input(body));
    }

    private Command curl(String path, String... more) {
        String options = "--silent --show-error --noproxy * --connect-timeout 5 --max-time " + ANSWER.toSeconds();
        List<String> words = new ArrayList<>(List.of("curl"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("--header", "Metadata: true", "--write-out", "\n%{http_code}"));
        words.addAll(List.of(more));
        words.add(base + path);
        return Command.of(words).timeout(ANSWER.plusSeconds(10));
    }

    private static String answer(NodeSession session, String what, Command curl) {
        CommandResult result = session.run(curl);
        String on = "on " + session.node() + ", cannot " + what + ": ";
        if (result.exitStatus() == NO_SUCH_PROGRAM) {
            throw new ClusterwrightException(on + "the node has no curl; write image: {customize: {packages: [curl]}}");
        }
        String text = result.stdout();
        int end = text.lastIndexOf('\n');
        String status = text.substring(end + 1).strip();
        if (result.exitStatus() != 0 || end < 0) {
            throw new ClusterwrightException(on + "there is no metadata service ("
                    + PrintableText.output(result.stderr()) + "); only Azure virtual machines have one");
        }
        String body = text.substring(0, end);
        if (!status.equals(String.valueOf(OK))) {
            throw new ClusterwrightException(on + "the metadata service answers " + status + " " + body.strip()
                    + (status.startsWith("5") || status.equals("429") ? "; try again after a few seconds" : ""));
        }
        return body;
    }
}
