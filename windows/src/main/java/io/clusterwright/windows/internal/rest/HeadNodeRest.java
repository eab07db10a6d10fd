package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The REST interface of a head node, in the form of its generation: its paths, its spelling, and the parts that it lacks.
 *
 * <p>{@code /hpc} of 2016 and 2019 is JSON; 2016 has other paths for nodes and groups, and cannot change them. {@code /WindowsHPC} of
 * 2012 and 2012 R2 is XML, its paths have the name of the cluster, its names begin with capitals, and a part of it is missing. Safe for
 * use by several threads. Source of {@code /WindowsHPC}: learn.microsoft.com, HPC Web Service API reference (hh560258).
 */
public final class HeadNodeRest implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadNodeRest.class);

    private final HeadNodeHttp http;
    private final Generation generation;
    private final AnswerForm form;
    private final String version;
    /** Where its paths begin. */
    private final String root;

    /** The generations of the interface. */
    private enum Generation {
        HPC_2019("HPC Pack 2019", ""),
        /** Its version comes from Microsoft's sample; the description of 2019 has no such header. */
        HPC_2016("HPC Pack 2016", "2016-11-01.5.0"),
        HPC_2012("HPC Pack 2012 or 2012 R2", "2012-11-01.4.0");

        private final String title;
        private final String apiVersion;

        Generation(String title, String apiVersion) {
            this.title = title;
            this.apiVersion = apiVersion;
        }
    }

    private HeadNodeRest(HeadNodeHttp http, Generation generation, String version, String root) {
        this.http = http;
        this.generation = generation;
        this.form = generation == Generation.HPC_2012 ? new XmlText() : new JsonText();
        this.version = version;
        this.root = root;
    }

    /**
     * Connects, and asks the head node for its generation.
     *
     * @throws HpcPackException.NotFound when it has no such interface
     * @throws HpcPackException.Unsupported when the connection acts for another user and the generation cannot
     */
    public static HeadNodeRest open(HpcPackConnection connection) {
        HeadNodeHttp http = new HeadNodeHttp(connection);
        try {
            HeadNodeRest rest = of(http);
            connection.asUser().ifPresent(user -> {
                if (rest.is2012()) {
                    throw rest.unsupported("act for another user", "log in as " + user + " instead");
                }
            });
            return rest;
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    private static HeadNodeRest of(HeadNodeHttp http) {
        HeadNodeRequest request =
                new HeadNodeRest(http, Generation.HPC_2019, "", "/hpc/").get("ask for the version", "cluster/version");
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
        return new HeadNodeRest(http, major >= 6 ? Generation.HPC_2019 : Generation.HPC_2016, text, "/hpc/");
    }

    /** The paths of 2012 have the name of the cluster; {@code /WindowsHPC} of 2016, which no longer tells it, has paths without. */
    private static HeadNodeRest old(HeadNodeHttp http) {
        String root = "/WindowsHPC/";
        HeadNodeRest rest = new HeadNodeRest(http, Generation.HPC_2012, "", root);
        try {
            String cluster = rest.get("ask for the name of the cluster", "clusters").rows().stream()
                    .map(row -> row.text("Name"))
                    .filter(name -> !name.isBlank())
                    .findFirst()
                    .orElse("");
            if (!cluster.isEmpty()) {
                return new HeadNodeRest(
                        http, Generation.HPC_2012, "", root + HeadNodeRequest.encode(cluster.strip()) + "/");
            }
        } catch (HpcPackException.NotFound e) {
            LOG.debug("{} does not tell the name of its cluster", http.headNode(), e);
        }
        try {
            rest.get("list the node groups", "nodes/groups").rows();
        } catch (HpcPackException.NotFound e) {
            throw new HpcPackException.NotFound("there is no REST interface of HPC Pack at " + http.headNode()
                    + ": it has neither /hpc nor /WindowsHPC; check the address, and that the service is on"
                    + " ($env:CCP_HOME\\bin\\Set-HPCWebComponents.ps1 -Service REST -enable)");
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
     * The refusal of what this generation cannot do.
     *
     * @param what such as {@code "finish a job"}
     * @param commands the lines for PowerShell on the head node that do it, ready to paste
     */
    public HpcPackException.Unsupported unsupported(String what, List<String> commands) {
        return new HpcPackException.Unsupported(
                refusal(what) + "; run this in PowerShell on the head node, as an administrator of the cluster:\n"
                        + String.join("\n", commands),
                commands);
    }

    /**
     * The refusal of what this generation cannot do, and no command of the head node either.
     *
     * @param instead what to do in its place
     */
    public HpcPackException.Unsupported unsupported(String what, String instead) {
        return new HpcPackException.Unsupported(refusal(what) + ": " + instead, List.of());
    }

    private String refusal(String what) {
        return "the REST interface of " + generation.title + " cannot " + what;
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
        String form = is2012()
                ? path.replace("nodes/groups", "nodegroups")
                        .replace("jobs/templates", "jobTemplates")
                        .replace("s/*", "/*")
                : path;
        Iterator<Object> next = List.of(ids).iterator();
        String target = Stream.of(form.split("/"))
                .map(part -> part.equals("*") ? HeadNodeRequest.encode("" + next.next()) : spelled(part))
                .collect(Collectors.joining("/", root, ""));
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
