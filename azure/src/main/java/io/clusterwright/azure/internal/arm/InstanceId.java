package io.clusterwright.azure.internal.arm;

import io.clusterwright.core.internal.arm.ArmId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of one instance of a scale set.
 *
 * @param set the id of the scale set
 * @param instance Azure's number of it, such as {@code 7}
 */
public record InstanceId(ArmId set, String instance) {
    private static final Pattern FORM = Pattern.compile(
            "(.+/virtualMachineScaleSets/[^/]+)/virtualMachines/([^/]+)(?:/.*)?", Pattern.CASE_INSENSITIVE);

    /** Reads the id of an instance, or of a part of it; nothing where the text is the id of something else. */
    public static Optional<InstanceId> find(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new InstanceId(ArmId.of(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return set + "/virtualMachines/" + instance;
    }
}
