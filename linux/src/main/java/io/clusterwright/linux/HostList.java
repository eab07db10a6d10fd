package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts with their slots, read from the list of a scheduler or from a machine file in any common form.
 *
 * @param slots the slots of each host, in the order of the list; empty where the list does not state them
 */
record HostList(Map<String, OptionalInt> slots) {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,5}");
    private static final Pattern SLOTS = Pattern.compile("(?:slots|cpu|np)=(.*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern OPTION = Pattern.compile("[A-Za-z][A-Za-z_-]*=\\S*");
    private static final Pattern REPEATED = Pattern.compile("([0-9]{1,6})(?:\\(x([0-9]{1,6})\\))?");
    private static final String FORMS = "node, node:4, node slots=4, node[1-3] or node[1-3]:4, one to a line";

    /** Keeps a copy, in its order. */
    HostList {
        if (slots.isEmpty()) {
            throw new InvalidValueException("list of hosts", "", "one or more hosts", "node1:4");
        }
        slots = Collections.unmodifiableMap(new LinkedHashMap<>(slots));
    }

    /**
     * Reads a machine file: of Hydra and Intel MPI ({@code node:4}), Open MPI ({@code node slots=4}), MVAPICH ({@code node:4:mlx5_0}) or
     * Slurm ({@code node[1-3]}). The slots of a host that is listed several times are added up; a line without a number counts as one
     * when its host is listed again.
     */
    static HostList machineFile(String text) {
        Map<String, Integer> counted = new LinkedHashMap<>();
        Map<String, OptionalInt> slots = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            String body = line.replaceFirst("#.*", "").strip();
            if (body.isEmpty()) {
                continue;
            }
            String[] words = body.split("\\s+");
            String[] parts = words[0].split(":", 3);
            OptionalInt stated = parts.length > 1 ? OptionalInt.of(count(parts[1], line)) : OptionalInt.empty();
            for (int i = 1; i < words.length; i++) {
                Matcher option = SLOTS.matcher(words[i]);
                if (option.matches()) {
                    stated = OptionalInt.of(count(option.group(1), line));
                } else if (!OPTION.matcher(words[i]).matches()) {
                    throw line(line);
                }
            }
            for (String host : hosts(parts[0], line)) {
                int before = counted.getOrDefault(host, 0);
                counted.put(host, before + stated.orElse(1));
                slots.put(host, before == 0 ? stated : OptionalInt.of(before + stated.orElse(1)));
            }
        }
        return new HostList(slots);
    }

    /** Reads a file of PBS, with one line for each slot. */
    static HostList pbsNodeFile(String text) {
        Map<String, OptionalInt> slots = new LinkedHashMap<>();
        text.lines()
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
        List<NodeName> nodes = NodeSet.expand(nodeList.strip());
        List<Integer> tasks = new ArrayList<>();
        if (!tasksPerNode.isBlank()) {
            for (String part : tasksPerNode.strip().split(",")) {
                Matcher repeated = REPEATED.matcher(part);
                if (!repeated.matches()) {
                    throw tasks(tasksPerNode, nodes.size());
                }
                int times = repeated.group(2) == null ? 1 : Integer.parseInt(repeated.group(2));
                tasks.addAll(Collections.nCopies(times, Integer.parseInt(repeated.group(1))));
            }
            if (tasks.size() != nodes.size()) {
                throw tasks(tasksPerNode, nodes.size());
            }
        }
        Map<String, OptionalInt> slots = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            slots.put(nodes.get(i).value(), tasks.isEmpty() ? OptionalInt.empty() : OptionalInt.of(tasks.get(i)));
        }
        return new HostList(slots);
    }

    /**
     * The node names of the hosts: the host's first label, since node names hold no dot, or its address with {@code -} for each dot.
     *
     * @throws InvalidValueException when two hosts have the same first label
     */
    Map<NodeName, String> names() {
        Map<NodeName, String> names = new LinkedHashMap<>();
        for (String host : slots.keySet()) {
            boolean address = host.matches("[0-9.]+");
            NodeName name = NodeName.of(address ? host.replace('.', '-') : host.split("\\.", 2)[0]);
            String other = names.putIfAbsent(name, host);
            if (other != null) {
                throw new InvalidValueException(
                        "list of hosts",
                        other + ", " + host,
                        "hosts that differ in the part of their name before the first dot",
                        "node1.example.org, node2.example.org");
            }
        }
        return names;
    }

    private static List<String> hosts(String word, String line) {
        if (word.contains("[")) {
            return NodeSet.expand(word).stream().map(NodeName::value).toList();
        }
        if (!HOST.matcher(word).matches()) {
            throw line(line);
        }
        return List.of(word.toLowerCase(Locale.ROOT));
    }

    private static int count(String text, String line) {
        if (!COUNT.matcher(text).matches()) {
            throw line(line);
        }
        return Integer.parseInt(text);
    }

    private static InvalidValueException line(String line) {
        return new InvalidValueException("machine file line", line.strip(), FORMS, "node1:4");
    }

    private static InvalidValueException tasks(String given, int nodes) {
        return new InvalidValueException(
                "SLURM_TASKS_PER_NODE", given, "a number of tasks for each of the " + nodes + " nodes", "4(x2),1");
    }
}
