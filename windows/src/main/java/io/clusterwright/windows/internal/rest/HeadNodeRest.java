package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The REST interface of a head node, in the form of its generation: its paths, its spelling, and the parts that it lacks.
 *
 * <p>{@code /hpc} of 2016 and 2019 is JSON; 2016 has other paths for nodes and groups, and cannot change them. {@code
 * /WindowsHPC} of 2012 is
 * XML, its names begin with capitals, and a part of it is missing. Safe for use by several threads.
 */
public final class HeadNodeRest implements AutoCloseable {
    private final HeadNodeHttp http;
    private final Generation generation;
    private final AnswerForm form;
    private final String version;

    /** The generations of the interface. */
    private enum Generation {
        HPC_2019("HPC Pack 2019", ""),
        /** Its version is that of Microsoft's sample; the description of 2019 has no such header. */
        HPC_2016("HPC Pack 2016", "2016-11-01.5.0"),
        HPC_2012("HPC Pack 2012", "2012-11-01.4.0");

        private final String title;
        private final String apiVersion;

        Generation(String title, String apiVersion) {
            this.title = title;
            this.apiVersion = apiVersion;
        }
    }

    private HeadNodeRest(HeadNodeHttp http, Generation generation, String version) {
        this.http = http;
        this.generation = generation;
        this.form = generation == Generation.HPC_2012 ? new XmlText() : new JsonText();
        this.version = version;
    }

    /**
     * Connects, and asks the head node for its generation.
     *
     * @throws HpcPackException.NotFound when it has no such interface
     */
    public static HeadNodeRest open(HpcPackConnection connection) {
        HeadNodeHttp http = new HeadNodeHttp(connection);
        try {
            return of(http);
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    private static HeadNodeRest of(HeadNodeHttp http) {
        HeadNodeRequest request =
                new HeadNodeRest(http, Generation.HPC_2019, "").get("ask for the version", "cluster/version");
        HeadNodeHttp.Answer answer = http.send(request);
        if (answer.status() == 404) {
            return old(http);
        }
        if (answer.status() / 100 != 2) {
            throw ErrorText.of(request, answer, http.headNode());
        }
        String text = JsonText.read(request, answer).asText("");
        if (!text.matches("\\d+(\\.\\d+)*")) {
            throw JsonText.strange(request, answer, "version");
        }
        int major = Integer.parseInt(text.replaceFirst("\\..*", ""));
        return new HeadNodeRest(http, major >= 6 ? Generation.HPC_2019 : Generation.HPC_2016, text);
    }

    private static HeadNodeRest old(HeadNodeHttp http) {
        HeadNodeRest rest = new HeadNodeRest(http, Generation.HPC_2012, "");
        try {
            rest.get("list the node groups", "nodes/groups").rows();
        } catch (HpcPackException.NotFound e) {
            throw new HpcPackException.NotFound("there is no REST interface of HPC Pack at " + http.headNode()
                    + ": it has neither /hpc nor /WindowsHPC; check the address, and that the service is on"
                    + " (Set-HPCWebComponents.ps1 -Service REST -enable)");
        }
        return rest;
    }

    /** The version of HPC Pack; empty when it was not sent. */
    public String version() {
        return version;
    }

    /** The generation for people, such as {@code HPC Pack 2019}. */
    public String title() {
        return generation.title;
    }

    /** Whether it is {@code /WindowsHPC}. */
    public boolean is2012() {
        return generation == Generation.HPC_2012;
    }

    /** Whether it is {@code /hpc} as it is described for 2019. */
    public boolean is2019() {
        return generation == Generation.HPC_2019;
    }

    /**
     * Requires an interface that is newer than that of 2012.
     *
     * @param what what is to be done, such as {@code "finish a job"}
     * @param instead what to do in its place
     */
    public void requireHpc(String what, String instead) {
        if (is2012()) {
            throw new HpcPackException.Unsupported(
                    "the REST interface of " + generation.title + " cannot " + what + ": " + instead);
        }
    }

    /** Requires the interface of 2019. */
    public void require2019(String what, String instead) {
        requireHpc(what, instead);
        if (!is2019()) {
            throw new HpcPackException.Unsupported("the REST interface of " + generation.title + " cannot " + what
                    + ": use PowerShell on the head node (Set-HpcNodeState, Add-HpcGroup), or HPC Pack 2019");
        }
    }

    /** A request that reads; see {@link #request}. */
    public HeadNodeRequest get(String what, String path, Object... ids) {
        return request("GET", what, path, ids);
    }

    /** A request that changes something; see {@link #request}. */
    public HeadNodeRequest post(String what, String path, Object... ids) {
        return request("POST", what, path, ids);
    }

    /**
     * A request.
     *
     * @param what what is being done, for messages, such as {@code "create a job"}
     * @param path in the form of 2016, with {@code *} for each id, such as {@code jobs/*}; 2012 has another form of it
     * @param ids numbers and names, not encoded
     */
    public HeadNodeRequest request(String method, String what, String path, Object... ids) {
        String form = is2012() ? path.replace("nodes/groups", "nodegroups").replace("s/*", "/*") : path;
        Iterator<Object> next = List.of(ids).iterator();
        String target = Stream.of(form.split("/"))
                .map(part -> part.equals("*") ? HeadNodeRequest.encode("" + next.next()) : spelled(part))
                .collect(Collectors.joining("/", is2012() ? "/WindowsHPC/" : "/hpc/", ""));
        HeadNodeRequest request = new HeadNodeRequest(this, what, method, target);
        request.headers.put("Accept", this.form.type().replaceFirst(";.*", ""));
        if (!generation.apiVersion.isEmpty()) {
            request.headers.put("api-version", generation.apiVersion);
        }
        return request;
    }

    /** A name of the interface, in the spelling of the generation. */
    String spelled(String name) {
        return is2012() ? name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) : name;
    }

    AnswerForm form() {
        return form;
    }

    HeadNodeHttp http() {
        return http;
    }

    @Override
    public void close() {
        http.close();
    }
}
