package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hosts with their slots, read from the list of a scheduler or from a machine file in any common form.
 *
 * @param slots the slots of each host, in the order of the list; empty where the list does not state them
 * @param user the account that the list names for its hosts; null where it names none
 * @param port the SSH port that the list names for its hosts; null where it names none
 */
record HostList(
        Map<String, OptionalInt> slots,
        @Nullable String user,
        @Nullable Integer port) {
    private static final Pattern HOST = Pattern.compile("_?[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?");
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,5}");
    private static final Pattern COUNT_OR_ZERO = Pattern.compile("[0-9]{1,6}");
    private static final Pattern OPTION = Pattern.compile("([A-Za-z_-]+)=(\\S*)");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?:#|//)[^\n]*", Pattern.DOTALL);
    private static final Pattern IPV6 =
            Pattern.compile("(?=.*::|(?:.*:){3})\\[?[0-9A-Fa-f:]+(?:%[^\\s\\]]+)?(?:\\](?::\\S*)?)?");
    private static final Pattern REPEATED = Pattern.compile("([1-9][0-9]{0,5})(?:\\(x([1-9][0-9]{0,5})\\))?");
    private static final String FORMS = "node, node:4, node slots=4, node[1-3] or node[1-3]:4, one to a line";

    /** Keeps a copy, in its order. */
    HostList {
        if (slots.isEmpty()) {
            throw new InvalidValueException("list of hosts", "", "one or more hosts", "node1:4");
        }
        slots = Collections.unmodifiableMap(new LinkedHashMap<>(slots));
    }

    private HostList(Map<String, OptionalInt> slots) {
        this(slots, null, null);
    }

    /**
     * Reads a machine file: of Hydra and Intel MPI ({@code node:4}), Open MPI ({@code node slots=4}), MVAPICH ({@code node:4:mlx5_0}) or
     * Slurm ({@code node[1-3]}). The slots of a host that is listed several times are added up; a line without a number counts as one
     * when its host is listed again. A host without a slot ({@code slots=0}) takes no rank and is left out.
     *
     * <p>The words of Open MPI are the words of its version 4.1 and of PRRTE ({@code hostfile_lex.l}); blanks may stand around {@code =}.
     */
    static HostList machineFile(String text) {
        Map<String, Integer> counted = new LinkedHashMap<>();
        Map<String, OptionalInt> slots = new LinkedHashMap<>();
        Set<String> users = new LinkedHashSet<>();
        Set<String> ports = new LinkedHashSet<>();
        for (String line :
                COMMENT.matcher(withoutMark(text)).replaceAll("\n").lines().toList()) {
            if (line.isBlank()) {
                continue;
            }
            refuseOtherKinds(line);
            MachineFileLine entry = new MachineFileLine(line);
            users.add(entry.user);
            ports.add(entry.port);
            for (String host : hosts(entry.hosts, line)) {
                boolean first = !counted.containsKey(host);
                int sum = counted.merge(host, entry.slots.orElse(1), Integer::sum);
                slots.put(host, first ? entry.slots : OptionalInt.of(sum));
            }
        }
        boolean named = !slots.isEmpty();
        slots.values().removeIf(number -> number.orElse(1) == 0);
        if (named && slots.isEmpty()) {
            throw InvalidValueException.of(
                    "every host of the machine file has slots=0",
                    "give at least one host a slot (example: node1 slots=4)");
        }
        String port = same("ports", "--port", ports);
        if (!port.isEmpty() && !COUNT.matcher(port).matches()) {
            throw new InvalidValueException("port of the machine file", port, "1 to 65535", "22");
        }
        String user = same("users", "--user", users);
        return new HostList(slots, user.isEmpty() ? null : user, port.isEmpty() ? null : Integer.valueOf(port));
    }

    /** The value that all lines name, empty for none: the sessions of a cluster have one account and one port. */
    private static String same(String what, String option, Set<String> values) {
        if (values.size() > 1) {
            throw InvalidValueException.of(
                    "the lines of the machine file name different " + what + ": "
                            + values.stream()
                                    .map(value -> value.isEmpty() ? "none" : value)
                                    .collect(Collectors.joining(", ")),
                    "name the same one in each line, or none and give " + option);
        }
        return String.join("", values);
    }

    /** A text without the byte order mark with which editors of Windows begin a file. */
    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** Reads a file of PBS, with one line for each slot. */
    static HostList pbsNodeFile(String text) {
        Map<String, OptionalInt> slots = new LinkedHashMap<>();
        withoutMark(text)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .forEach(line -> hosts(line, line)
                        .forEach(host -> slots.merge(
                                host, OptionalInt.of(1), (one, other) -> OptionalInt.of(one.getAsInt() + 1))));
        return new HostList(slots);
    }

    /**
     * Reads {@code SLURM_JOB_NODELIST}.
     *
     * @param tasksPerNode as {@code SLURM_TASKS_PER_NODE} has it, such as {@code 4(x2),1}; empty where it is not known
     */
    static HostList slurm(String nodeList, String tasksPerNode) {
        List<String> nodes = hosts(nodeList, nodeList);
        List<Integer> tasks = tasks(tasksPerNode, nodes.size());
        if (!tasks.isEmpty() && tasks.size() != nodes.size()) {
            throw refusedTasks(tasksPerNode, nodes.size());
        }
        Map<String, OptionalInt> slots = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            slots.merge(
                    nodes.get(i),
                    tasks.isEmpty() ? OptionalInt.empty() : OptionalInt.of(tasks.get(i)),
                    (one, other) -> one.isEmpty() ? one : OptionalInt.of(one.getAsInt() + other.getAsInt()));
        }
        return new HostList(slots);
    }

    /**
     * The hosts of a job of Slurm. srun sets {@code SLURM_TASKS_PER_NODE} to the tasks of its step: where they do not fit the nodes of the
     * job, only the hosts of the step count, or all hosts without slots.
     *
     * @param nodeList as {@code SLURM_JOB_NODELIST} has it
     */
    static HostList slurmJob(String nodeList, Map<String, String> environment) {
        String tasks = environment.getOrDefault("SLURM_TASKS_PER_NODE", "");
        String step = environment.getOrDefault("SLURM_STEP_NODELIST", "");
        String stepTasks = environment.getOrDefault("SLURM_STEP_TASKS_PER_NODE", "");
        if (haveTasks(nodeList, tasks)) {
            return slurm(nodeList, tasks);
        }
        return haveTasks(step, stepTasks) ? slurm(step, stepTasks) : slurm(nodeList, "");
    }

    private static boolean haveTasks(String nodeList, String tasksPerNode) {
        if (nodeList.isBlank() || tasksPerNode.isBlank()) {
            return false;
        }
        int nodes = hosts(nodeList, nodeList).size();
        return tasks(tasksPerNode, nodes).size() == nodes;
    }

    private static List<Integer> tasks(String tasksPerNode, int nodes) {
        List<Integer> tasks = new ArrayList<>();
        for (String part :
                tasksPerNode.isBlank() ? new String[0] : tasksPerNode.strip().split(",")) {
            Matcher repeated = REPEATED.matcher(part);
            if (!repeated.matches()) {
                throw refusedTasks(tasksPerNode, nodes);
            }
            int times = repeated.group(2) == null ? 1 : Integer.parseInt(repeated.group(2));
            tasks.addAll(Collections.nCopies(times, Integer.parseInt(repeated.group(1))));
        }
        return tasks;
    }

    /**
     * The node names of the hosts: the host's first label, since node names hold no dot. An address, and a host whose label another host has, keep
     * the whole name with {@code -} for each dot; {@code _} becomes {@code -}.
     *
     * @throws InvalidValueException when two hosts get the same name
     */
    Map<NodeName, String> names() {
        Map<NodeName, String> names = new LinkedHashMap<>();
        for (String host : slots.keySet()) {
            boolean address = host.matches("[0-9.]+");
            NodeName label = nodeName(address ? host : host.split("\\.", 2)[0]);
            NodeName name = names.containsKey(label) ? nodeName(host) : label;
            String other = names.putIfAbsent(name, host);
            if (other != null) {
                throw InvalidValueException.of(
                        "the hosts " + other + " and " + host + " would have the same node name, " + name
                                + ": a node name has '-' in the place of '_' and '.'",
                        "write the address of one of them (example: 10.0.0.4)");
            }
        }
        return names;
    }

    private static NodeName nodeName(String host) {
        return NodeName.of(host.replaceFirst("^_", "").replace('.', '-').replace('_', '-'));
    }

    private static List<String> hosts(String word, String line) {
        List<String> hosts = NodeSet.expandHosts(word.toLowerCase(Locale.ROOT)).stream()
                .map(host -> host.endsWith(".") ? host.substring(0, host.length() - 1) : host)
                .toList();
        if (!hosts.stream().allMatch(host -> HOST.matcher(host).matches())) {
            throw line(line);
        }
        return hosts;
    }

    private static int count(Pattern allowed, String text, String line) {
        if (!allowed.matcher(text).matches()) {
            throw line(line);
        }
        return Integer.parseInt(text);
    }

    /** Refuses a line of a file of another kind, with the line to write instead. */
    private static void refuseOtherKinds(String line) {
        String text = line.strip();
        String[] words = text.split("\\s+");
        String problem = "";
        String remedy = "write the name of each host, one to a line (example: node1 slots=4)";
        if (text.startsWith("^")) {
            problem = "takes a host out of an allocation of Open MPI";
            remedy = "remove this line and every other line of the host";
        } else if (text.startsWith("+")) {
            problem = "names a host by its place in an allocation of Open MPI";
        } else if (text.matches("rank\\s+\\S+\\s*=.*")) {
            problem = "is of a rankfile, which places single ranks";
        } else if (IPV6.matcher(words[0]).matches()) {
            problem = "has an IPv6 address";
            remedy = "write the name or the IPv4 address of the host";
        } else if (words.length > 1
                && HOST.matcher(words[0]).matches()
                && COUNT.matcher(words[1]).matches()) {
            problem = "has slots behind a blank, as files of LSF, Grid Engine and MS-MPI have";
            remedy = "write " + words[0] + ":" + words[1] + ", one host to a line";
        } else if (words.length > 1 && COUNT.matcher(words[0]).matches()) {
            problem = "begins with a number, as the lists of MS-MPI and CCP_NODES do";
            remedy = "write each host on its own line, with its slots behind it (example: node1:4)";
        }
        if (!problem.isEmpty()) {
            throw InvalidValueException.of("the machine file line \"" + text + "\" " + problem, remedy);
        }
    }

    private static InvalidValueException line(String line) {
        return new InvalidValueException("machine file line", line.strip(), FORMS, "node1:4");
    }

    private static InvalidValueException refusedTasks(String given, int nodes) {
        return new InvalidValueException(
                "SLURM_TASKS_PER_NODE", given, "a number of tasks for each of the " + nodes + " nodes", "4(x2),1");
    }

    /** A line of a machine file that names hosts. */
    private static final class MachineFileLine {
        final String hosts;
        String user = "";
        String port = "";
        OptionalInt slots = OptionalInt.empty();

        MachineFileLine(String line) {
            String[] words = line.strip().replaceAll("\\s*=\\s*", "=").split("\\s+");
            String[] parts = words[0].split(":", 3);
            int at = parts[0].indexOf('@');
            if (at == 0 || at == parts[0].length() - 1) {
                throw line(line);
            }
            hosts = parts[0].substring(at + 1);
            user = parts[0].substring(0, Math.max(0, at));
            if (parts.length > 1) {
                slots = OptionalInt.of(count(COUNT, parts[1], line));
            }
            OptionalInt most = OptionalInt.empty();
            for (String word : List.of(words).subList(1, words.length)) {
                Matcher option = OPTION.matcher(word);
                String value = option.matches() ? option.group(2) : "";
                switch (value.isEmpty()
                        ? ""
                        : option.group(1).toLowerCase(Locale.ROOT).replace('-', '_')) {
                    case "slots", "count", "cpu", "np" -> {
                        int number = count(COUNT_OR_ZERO, value, line);
                        once(slots.isPresent() ? "" + slots.getAsInt() : "", "" + number, "numbers of slots", line);
                        slots = OptionalInt.of(number);
                    }
                    case "max_slots", "slots_max", "max_count", "count_max", "max_cpu", "cpu_max" ->
                        most = OptionalInt.of(count(COUNT, value, line));
                    case "user", "username", "user_name" -> user = once(user, value, "users", line);
                    case "port" -> port = once(port, value, "ports", line);
                    case "binding" -> {} // Hydra's; the binding of a job is the job's own
                    default ->
                        throw InvalidValueException.of(
                                "unknown word \"" + word + "\" in the machine file line \"" + line.strip() + "\"",
                                "use " + FORMS);
                }
            }
            if (most.isPresent() && slots.orElse(0) > most.getAsInt()) {
                throw InvalidValueException.of(
                        "the machine file line \"" + line.strip() + "\" has more slots than max_slots",
                        "write max_slots=" + slots.getAsInt() + " or more");
            }
            slots = slots.isPresent() ? slots : most;
        }

        /** A value of a line that states it once, or twice in the same way. */
        private static String once(String before, String value, String what, String line) {
            if (!before.isEmpty() && !before.equals(value)) {
                throw InvalidValueException.of(
                        "the machine file line \"" + line.strip() + "\" has two " + what + ", " + before + " and "
                                + value,
                        "keep one of them");
            }
            return value;
        }
    }
}
