package io.clusterwright.azure.emulator.internal.batch;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.expression.ParsedExpression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** A formula for the number of nodes of a pool. A sample of a service variable is its value now, so that every list has one value. */
final class BatchFormula {
    private static final ParsedExpression.Parser.Language LANGUAGE = new ParsedExpression.Parser.Language(
            Pattern.compile("(\\d+(?:\\.\\d+)?|[$A-Za-z_][A-Za-z0-9_]*)|&&|\\|\\||[<>=!]=|[-+*/<>!?:(),.;=]"),
            List.of(
                    Set.of("||"),
                    Set.of("&&"),
                    Set.of("==", "!=", "<", ">", "<=", ">="),
                    Set.of("+", "-"),
                    Set.of("*", "/")),
            Map.of("-", 5, "!", 5),
            true,
            BatchFormula::wrong);
    private static final Set<String> WRITTEN =
            Set.of("$TargetDedicatedNodes", "$TargetDedicated", "$TargetLowPriorityNodes", "$NodeDeallocationOption");
    private static final Set<String> READ =
            Set.of(("$ActiveTasks $RunningTasks $PendingTasks $SucceededTasks $FailedTasks $TaskSlotsPerNode"
                            + " $CurrentDedicatedNodes $CurrentDedicated $CurrentLowPriorityNodes $PreemptedNodeCount"
                            + " $UsableNodeCount $CPUPercent $WallClockSeconds $MemoryBytes $DiskBytes $NetworkInBytes"
                            + " $NetworkOutBytes $SampleNodeCount")
                    .split(" "));
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
    private static final Set<String> METHODS = Set.of(".GetSample", ".GetSamplePercent", ".GetSamplePeriod", ".Count");
    private static final int LONGEST = 8192;

    private final String text;
    private final Map<String, Double> values = new HashMap<>();
    private final ToDoubleFunction<String> samples;

    private BatchFormula(String text, ToDoubleFunction<String> samples) {
        this.text = text;
        this.samples = samples;
    }

    /**
     * The variables that a formula sets.
     *
     * @param samples the value of a service variable such as {@code $PendingTasks} now
     * @throws ArmException when it is too long, or not a formula
     */
    static Map<String, Double> evaluate(String text, ToDoubleFunction<String> samples) {
        ArmException.refuse(text.length() > LONGEST, "AutoScalingFormulaTooLong");
        return new BatchFormula(text, samples).assignments();
    }

    private Map<String, Double> assignments() {
        ParsedExpression.Parser parser = new ParsedExpression.Parser(LANGUAGE, text);
        while (!parser.isAtEnd()) {
            String name = parser.word();
            if (!name.matches("[A-Za-z_].*") && !WRITTEN.contains(name)) {
                throw wrong("'" + name + "' cannot be assigned");
            }
            parser.require("=");
            values.put(name, value(parser.expression()));
            if (!parser.isAtEnd()) {
                parser.require(";");
            }
        }
        if (values.keySet().stream().noneMatch(name -> name.startsWith("$Target"))) {
            throw wrong("it sets no target");
        }
        return Map.copyOf(values);
    }

    private static ArmException wrong(String reason) {
        return ArmException.of("AutoScalingFormulaSyntaxError").because(List.of(ArmException.fact("Reason", reason)));
    }

    private double value(ParsedExpression expression) {
        if (expression instanceof ParsedExpression.Numeral number) {
            return Double.parseDouble(number.value());
        }
        if (expression instanceof ParsedExpression.Name name) {
            return named(name.value());
        }
        if (expression instanceof ParsedExpression.Invocation call) {
            String function = call.function();
            if (function.startsWith(".")
                    ? !METHODS.contains(function)
                    : isWord(function) && !FUNCTIONS.contains(function)) {
                throw wrong("there is no function '" + function + "'");
            }
            return called(
                    function, call.arguments().stream().mapToDouble(this::value).toArray());
        }
        throw wrong("only numbers, names and functions are expected");
    }

    private static boolean isWord(String function) {
        return function.matches("[$A-Za-z_].*");
    }

    private double named(String name) {
        if (values.containsKey(name)) {
            return values.get(name);
        }
        if (READ.contains(name)) {
            return samples.applyAsDouble(name);
        }
        if (UNITS.containsKey(name)) {
            return UNITS.get(name);
        }
        if (OPTIONS.contains(name) || WRITTEN.contains(name)) {
            return 0;
        }
        throw wrong("'" + name + "' is not known");
    }

    private static double called(String name, double... all) {
        double first = all.length == 0 ? 0 : all[0];
        double second = all.length < 2 ? 0 : all[1];
        return switch (name) {
            case "?" -> first != 0 ? second : all[2];
            case "||" -> first != 0 || second != 0 ? 1 : 0;
            case "&&" -> first != 0 && second != 0 ? 1 : 0;
            case "!" -> first == 0 ? 1 : 0;
            case "==" -> first == second ? 1 : 0;
            case "!=" -> first != second ? 1 : 0;
            case "<" -> first < second ? 1 : 0;
            case ">" -> first > second ? 1 : 0;
            case "<=" -> first <= second ? 1 : 0;
            case ">=" -> first >= second ? 1 : 0;
            case "+" -> first + second;
            case "-" -> all.length == 1 ? -first : first - second;
            case "*" -> first * second;
            case "/" -> second == 0 ? 0 : first / second;
            case "min" -> DoubleStream.of(all).min().orElse(0);
            case "max" -> DoubleStream.of(all).max().orElse(0);
            case "sum" -> DoubleStream.of(all).sum();
            case "abs" -> Math.abs(first);
            case "ceil" -> Math.ceil(first);
            case "floor" -> Math.floor(first);
            case "round" -> Math.rint(first);
            case "len" -> all.length;
            case ".GetSamplePercent" -> 100;
            default -> first;
        };
    }
}
