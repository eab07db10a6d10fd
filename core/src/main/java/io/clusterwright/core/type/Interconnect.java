package io.clusterwright.core.type;

import io.clusterwright.core.internal.text.PrintableText;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The interconnect of the nodes besides Ethernet. Use it to choose sizes and presets.
 *
 * @see io.clusterwright.core.catalog.SizeDefaults
 */
public enum Interconnect {
    /** Nothing: MPI runs over TCP. */
    NONE,
    /** The older InfiniBand sizes (A8, A9, H16r), reached through Network Direct or DAPL. */
    NETWORK_DIRECT,
    /** InfiniBand passed through to the machine (HB, HC, ND), reached through verbs. */
    SRIOV_INFINIBAND,
    /** RDMA over converged Ethernet. */
    ROCE;

    /**
     * Reads the text form.
     *
     * @throws InvalidValueException when there is no such interconnect
     */
    public static Interconnect of(String text) {
        return Arrays.stream(values())
                .filter(interconnect -> interconnect.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        "interconnect",
                        text,
                        "one of "
                                + Arrays.stream(values())
                                        .map(Interconnect::toString)
                                        .collect(Collectors.joining(", ")),
                        SRIOV_INFINIBAND));
    }

    /** Whether one node can reach into the memory of another without its processor. */
    public boolean isRdma() {
        return this != NONE;
    }

    /** The name in small letters with '-', such as {@code sriov-infiniband}. */
    @Override
    public String toString() {
        return PrintableText.word(this);
    }
}
