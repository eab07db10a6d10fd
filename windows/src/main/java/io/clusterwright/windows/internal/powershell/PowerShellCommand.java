package io.clusterwright.windows.internal.powershell;

import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.ArrayList;
import java.util.List;

/** A call of a cmdlet with named parameters, or a pipeline of several. Immutable. */
public final class PowerShellCommand {
    private final List<String> words;

    private PowerShellCommand(List<String> words) {
        this.words = List.copyOf(words);
    }

    /** A call without parameters, such as {@code Get-HpcGroup}. */
    public static PowerShellCommand of(String cmdlet) {
        return new PowerShellCommand(List.of(cmdlet));
    }

    /** Adds a parameter whose value is this text. */
    public PowerShellCommand text(String parameter, String value) {
        return with("-" + parameter, PowerShellQuoting.literal(value));
    }

    /** Adds a parameter whose value is an array of these texts. */
    public PowerShellCommand texts(String parameter, List<String> values) {
        return with("-" + parameter, PowerShellQuoting.literals(values));
    }

    /** Adds a parameter whose value is {@code $true} or {@code $false}. */
    public PowerShellCommand truth(String parameter, boolean value) {
        return with("-" + parameter, PowerShellQuoting.literal(value));
    }

    /** Adds a parameter whose value is a word of a fixed set, such as {@code Online}. */
    public PowerShellCommand word(String parameter, String word) {
        return with("-" + parameter, word);
    }

    /** Adds a parameter whose value is an expression of the script, such as {@code $template}. */
    public PowerShellCommand expression(String parameter, String expression) {
        return with("-" + parameter, expression);
    }

    /** Adds a parameter without a value, such as {@code -Force}. */
    public PowerShellCommand flag(String parameter) {
        return with("-" + parameter);
    }

    /** Hands what this gives to the next one. */
    public PowerShellCommand then(PowerShellCommand next) {
        List<String> more = new ArrayList<>(words);
        more.add("|");
        more.addAll(next.words);
        return new PowerShellCommand(more);
    }

    /** As it stands in a script. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }

    private PowerShellCommand with(String... added) {
        List<String> more = new ArrayList<>(words);
        more.addAll(List.of(added));
        return new PowerShellCommand(more);
    }
}
