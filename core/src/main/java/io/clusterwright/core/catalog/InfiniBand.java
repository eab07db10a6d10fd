package io.clusterwright.core.catalog;

/**
 * The generations of InfiniBand. Use it to compare sizes by the rate of their network.
 *
 * @see VmSizes
 */
public enum InfiniBand {
    /** 10 Gb/s a lane, 32 Gb/s of data over four. */
    QDR("QDR"),
    /** 14 Gb/s a lane. */
    FDR("FDR"),
    /** 25 Gb/s a lane. */
    EDR("EDR"),
    /** 50 Gb/s a lane. */
    HDR("HDR"),
    /** 100 Gb/s a lane. */
    NDR("NDR"),
    /** InfiniBand whose generation the sources do not name. */
    UNSPECIFIED("InfiniBand");

    private final String text;

    InfiniBand(String text) {
        this.text = text;
    }

    /** The generation as catalogs write it, such as {@code HDR}. */
    @Override
    public String toString() {
        return text;
    }
}
