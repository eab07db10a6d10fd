package io.clusterwright.azure.emulator.internal.compute;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the instances of a scale set are called by their own systems at first: the prefix of the set and six digits to the base of 36. */
public final class InstanceNames {
    private static final int DIGITS = 6;
    private static final Pattern INSTANCE =
            Pattern.compile(".+/virtualMachineScaleSets/[^/]+/virtualMachines/(\\d{1,9})", Pattern.CASE_INSENSITIVE);

    private InstanceNames() {}

    static String of(String prefix, int number) {
        String suffix = Integer.toString(number, Character.MAX_RADIX).toUpperCase(Locale.ROOT);
        return prefix + "0".repeat(Math.max(0, DIGITS - suffix.length())) + suffix;
    }

    /** The name of the instance with this resource id; nothing where the id is that of something else. */
    public static Optional<String> find(String prefix, String resourceId) {
        Matcher matcher = INSTANCE.matcher(resourceId);
        return matcher.matches() ? Optional.of(of(prefix, Integer.parseInt(matcher.group(1)))) : Optional.empty();
    }
}
