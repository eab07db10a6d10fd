package io.clusterwright.examples.benchmark;

import java.util.Locale;

/**
 * The goal of a row.
 *
 * @param kind what is limited
 * @param limit the number to reach
 */
record Goal(Kind kind, double limit) {
    static final Goal NONE = new Goal(Kind.NONE, 0);

    enum Kind {
        NONE,
        /** Ours takes at most this part of the peer's. */
        OF_PEER,
        /** The peer's takes at least this many times as long as ours. */
        FASTER,
        /** Ours is at most this, in its unit. */
        VALUE
    }

    static Goal ofPeer(double limit) {
        return new Goal(Kind.OF_PEER, limit);
    }

    static Goal faster(double limit) {
        return new Goal(Kind.FASTER, limit);
    }

    static Goal value(double limit) {
        return new Goal(Kind.VALUE, limit);
    }

    /** The result of a row in the words of its goal; without one, in the shorter words; empty without a peer. */
    String result(Series ours, Series peer) {
        double ratio = ours.median() / peer.median();
        if (!peer.measured()) {
            return "";
        }
        return kind == Kind.FASTER || kind == Kind.NONE && ratio < 0.5
                ? String.format(Locale.ROOT, "%.1f x faster", 1 / ratio)
                : String.format(Locale.ROOT, "%.2f x", ratio);
    }

    /** "yes" or "no"; empty where there is no goal, or no peer to compare with. */
    String met(Series ours, Series peer) {
        boolean comparable = kind == Kind.VALUE || kind != Kind.NONE && peer.measured();
        return !comparable || !ours.measured() ? "" : reached(ours.median(), peer.median()) ? "yes" : "no";
    }

    private boolean reached(double ours, double peer) {
        return switch (kind) {
            case NONE -> true;
            case OF_PEER -> ours <= limit * peer;
            case FASTER -> ours * limit <= peer;
            case VALUE -> ours <= limit;
        };
    }

    String toText(String unit) {
        return switch (kind) {
            case NONE -> "";
            case OF_PEER -> String.format(Locale.ROOT, "<= %s x", limit);
            case FASTER -> String.format(Locale.ROOT, ">= %s x faster", limit);
            case VALUE -> String.format(Locale.ROOT, "<= %s %s", limit, unit);
        };
    }
}
