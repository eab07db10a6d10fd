package io.clusterwright.windows.internal.powershell;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A script that is kept as a resource, with the values of a spec as defaults of its parameters. Not safe for use by several threads.
 *
 * <p>A resource is a script by itself: each parameter stands on a line of the first {@code param(} block and has a default. A line such as
 * {@code . .\nodes.ps1} becomes the text of that resource, so that a user gets one file. Lines end as on Windows.
 */
public final class PowerShellScript {
    private static final Pattern INCLUDED = Pattern.compile("(?m)^\\. \\.\\\\(\\S+)\\n");
    private static final List<String> UNATTENDED =
            List.of("powershell.exe", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass");
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private String text;

    private PowerShellScript(String text) {
        this.text = text;
    }

    /** The script of a resource of this package, such as {@code join.ps1}. */
    public static PowerShellScript of(String name) {
        return read(each -> PowerShellScript.class.getResourceAsStream(each), name);
    }

    /**
     * The script of a resource.
     *
     * @param resources opens a resource by its name, in the module that has it
     */
    public static PowerShellScript read(Function<String, @Nullable InputStream> resources, String name) {
        String whole = INCLUDED.matcher(TextResource.read(resources.apply(name), name))
                .replaceAll(found ->
                        Matcher.quoteReplacement(TextResource.read(resources.apply(found.group(1)), found.group(1))));
        return new PowerShellScript(whole.replace("\n", "\r\n"));
    }

    /** The command that starts Windows PowerShell unattended: no profile, no prompts, any script policy; and then these words. */
    public static List<String> command(String... more) {
        return Stream.concat(UNATTENDED.stream(), Stream.of(more)).toList();
    }

    /** Puts a comment before the script; each line of the text becomes one. */
    public PowerShellScript heading(String comment) {
        text = comment.lines()
                        .map(line -> line.isEmpty() ? "#\r\n" : "# " + line + "\r\n")
                        .collect(Collectors.joining())
                + text;
        return this;
    }

    /** Gives a parameter a text. */
    public PowerShellScript set(String parameter, String value) {
        return expression(parameter, PowerShellQuoting.literal(value));
    }

    /** Gives a parameter an array of texts. */
    public PowerShellScript set(String parameter, List<String> values) {
        return expression(parameter, PowerShellQuoting.literals(values));
    }

    /** Gives a parameter a number. */
    public PowerShellScript set(String parameter, int value) {
        return expression(parameter, Integer.toString(value));
    }

    /** Gives a parameter a truth value. */
    public PowerShellScript set(String parameter, boolean value) {
        return expression(parameter, value ? "$true" : "$false");
    }

    /** Gives a parameter a table of texts. */
    public PowerShellScript set(String parameter, Map<String, String> values) {
        return expression(
                parameter,
                values.entrySet().stream()
                        .map(each -> "        " + PowerShellQuoting.literal(each.getKey()) + " = "
                                + PowerShellQuoting.literal(each.getValue()) + "\r\n")
                        .collect(Collectors.joining("", "@{\r\n", "    }")));
    }

    /** Gives the parameters {@code ProgramNames} and {@code ProgramPaths} the programs that the firewall lets through. */
    public PowerShellScript programs(List<FirewallRule> programs) {
        return set("ProgramNames", programs.stream().map(FirewallRule::name).toList())
                .set(
                        "ProgramPaths",
                        programs.stream().map(FirewallRule::program).toList());
    }

    private PowerShellScript expression(String parameter, String expression) {
        Matcher line = Pattern.compile("(?md)^(    [^\\r\\n]*\\$" + parameter + " = )[^\\r\\n]*?(,?)\\r$")
                .matcher(text);
        if (!line.find() || line.start() > text.indexOf("\r\n)\r\n")) {
            throw new IllegalArgumentException("the script has no parameter $" + parameter);
        }
        text = text.substring(0, line.end(1)) + expression + text.substring(line.start(2));
        return this;
    }

    /** The script. */
    public String text() {
        return text;
    }

    /** The script as a file: UTF-8, with a byte order mark where it holds more than ASCII, without which it would be misread. */
    public byte[] bytes() {
        boolean ascii = text.chars().allMatch(c -> c < 128);
        return (ascii ? text : BYTE_ORDER_MARK + text).getBytes(StandardCharsets.UTF_8);
    }
}
