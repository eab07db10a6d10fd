package io.clusterwright.azure.emulator.internal.batch;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A formula for the number of nodes of a pool. A sample of a service variable is its value now, so that every list has one value. */
final class BatchFormula {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(\\d+(?:\\.\\d+)?)|([$A-Za-z_][A-Za-z0-9_]*)|(&&|\\|\\||[<>=!]=|[-+*/<>!?:(),.;=]))");
    private static final Set<String> WRITTEN =
            Set.of("$TargetDedicatedNodes", "$TargetDedicated", "$TargetLowPriorityNodes", "$NodeDeallocationOption");
    private static final Set<String> READ = Set.of(
            "$ActiveTasks",
            "$RunningTasks",
            "$PendingTasks",
            "$SucceededTasks",
            "$FailedTasks",
            "$TaskSlotsPerNode",
            "$CurrentDedicatedNodes",
            "$CurrentDedicated",
            "$CurrentLowPriorityNodes",
            "$PreemptedNodeCount",
            "$UsableNodeCount",
            "$CPUPercent",
            "$WallClockSeconds",
            "$MemoryBytes",
            "$DiskBytes",
            "$NetworkInBytes",
            "$NetworkOutBytes",
            "$SampleNodeCount");
    private static final Map<String, Double> UNITS = Map.of(
            "TimeInterval_Zero", 0.0,
            "TimeInterval_100ns", 1e-7,
            "TimeInterval_Microsecond", 1e-6,
            "TimeInterval_Millisecond", 1e-3,
            "TimeInterval_Second", 1.0,
            "TimeInterval_Minute", 60.0,
            "TimeInterval_Hour", 3600.0,
            "TimeInterval_Day", 86_400.0,
            "TimeInterval_Week", 604_800.0,
            "TimeInterval_Year", 31_536_000.0);
    private static final Set<String> OPTIONS = Set.of("requeue", "terminate", "taskcompletion", "retaineddata");
    private static final Set<String> FUNCTIONS =
            Set.of("min", "max", "avg", "med", "sum", "abs", "ceil", "floor", "round", "len", "val", "time");
    private static final Set<String> METHODS = Set.of("GetSample", "GetSamplePercent", "GetSamplePeriod", "Count");
    private static final int LONGEST = 8192;

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, Double> values = new HashMap<>();
    private ToDoubleFunction<String> samples = name -> 0;
    private int at;

    /** @throws ArmException when it is too long, or has characters that no formula has */
    BatchFormula(String text) {
        if (text.length() > LONGEST) {
            throw ArmException.of("AutoScalingFormulaTooLong");
        }
        Matcher token = TOKEN.matcher(text);
        int end = 0;
        while (end < text.stripTrailing().length()) {
            if (!token.find(end) || token.start() != end) {
                throw wrong(
                        "unexpected character '" + text.substring(end).strip().charAt(0) + "'");
            }
            tokens.add(token.group().strip());
            end = token.end();
        }
    }

    /**
     * The variables that it sets.
     *
     * @param now the value of a service variable such as {@code $PendingTasks}
     */
    Map<String, Double> evaluate(ToDoubleFunction<String> now) {
        samples = now;
        at = 0;
        values.clear();
        while (at < tokens.size()) {
            String name = next();
            if (!name.matches("[A-Za-z_].*") && !WRITTEN.contains(name)) {
                throw wrong("'" + name + "' cannot be assigned");
            }
            expect("=");
            values.put(name, choice());
            if (at < tokens.size()) {
                expect(";");
            }
        }
        if (values.keySet().stream().noneMatch(name -> name.startsWith("$Target"))) {
            throw wrong("it sets no target");
        }
        return Map.copyOf(values);
    }

    private String peek() {
        return at < tokens.size() ? tokens.get(at) : "";
    }

    private String next() {
        if (at == tokens.size()) {
            throw wrong("unexpected end");
        }
        return tokens.get(at++);
    }

    private boolean takes(String token) {
        boolean there = peek().equals(token);
        at += there ? 1 : 0;
        return there;
    }

    private void expect(String token) {
        if (!takes(token)) {
            throw wrong(
                    "'" + token + "' is expected" + (peek().isEmpty() ? " at the end" : " before '" + peek() + "'"));
        }
    }

    private static ArmException wrong(String reason) {
        return ArmException.of("AutoScalingFormulaSyntaxError")
                .because(List.of(Json.object().put("key", "Reason").put("value", reason)));
    }

    private double choice() {
        double condition = binary(0);
        if (!takes("?")) {
            return condition;
        }
        double yes = choice();
        expect(":");
        double no = choice();
        return condition != 0 ? yes : no;
    }

    private static final List<Set<String>> LEVELS = List.of(
            Set.of("||"), Set.of("&&"), Set.of("==", "!=", "<", ">", "<=", ">="), Set.of("+", "-"), Set.of("*", "/"));

    private double binary(int level) {
        if (level == LEVELS.size()) {
            return unary();
        }
        double left = binary(level + 1);
        while (LEVELS.get(level).contains(peek())) {
            String operator = next();
            double right = binary(level + 1);
            left = switch (operator) {
                case "||" -> left != 0 || right != 0 ? 1 : 0;
                case "&&" -> left != 0 && right != 0 ? 1 : 0;
                case "==" -> left == right ? 1 : 0;
                case "!=" -> left != right ? 1 : 0;
                case "<" -> left < right ? 1 : 0;
                case ">" -> left > right ? 1 : 0;
                case "<=" -> left <= right ? 1 : 0;
                case ">=" -> left >= right ? 1 : 0;
                case "+" -> left + right;
                case "-" -> left - right;
                case "*" -> left * right;
                default -> right == 0 ? 0 : left / right;
            };
        }
        return left;
    }

    private double unary() {
        if (takes("-")) {
            return -unary();
        }
        if (takes("!")) {
            return unary() == 0 ? 1 : 0;
        }
        double value = primary();
        while (takes(".")) {
            String method = next();
            if (!METHODS.contains(method)) {
                throw wrong("there is no method '" + method + "'");
            }
            expect("(");
            arguments();
            value = method.equals("GetSamplePercent") ? 100 : value;
        }
        return value;
    }

    private double primary() {
        String token = next();
        if (token.equals("(")) {
            double inner = choice();
            expect(")");
            return inner;
        }
        if (Character.isDigit(token.charAt(0))) {
            return Double.parseDouble(token);
        }
        if (FUNCTIONS.contains(token) && takes("(")) {
            return called(token, arguments());
        }
        if (values.containsKey(token)) {
            return values.get(token);
        }
        if (READ.contains(token)) {
            return samples.applyAsDouble(token);
        }
        if (UNITS.containsKey(token)) {
            return UNITS.get(token);
        }
        if (OPTIONS.contains(token) || WRITTEN.contains(token)) {
            return 0;
        }
        throw wrong("'" + token + "' is not known");
    }

    private List<Double> arguments() {
        List<Double> all = new ArrayList<>();
        if (takes(")")) {
            return all;
        }
        do {
            all.add(choice());
        } while (takes(","));
        expect(")");
        return all;
    }

    private static double called(String name, List<Double> all) {
        double first = all.isEmpty() ? 0 : all.get(0);
        return switch (name) {
            case "min" -> all.stream().mapToDouble(each -> each).min().orElse(0);
            case "max" -> all.stream().mapToDouble(each -> each).max().orElse(0);
            case "sum" -> all.stream().mapToDouble(each -> each).sum();
            case "abs" -> Math.abs(first);
            case "ceil" -> Math.ceil(first);
            case "floor" -> Math.floor(first);
            case "round" -> Math.rint(first);
            case "len" -> all.size();
            default -> first;
        };
    }
}
