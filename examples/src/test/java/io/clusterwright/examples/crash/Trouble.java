package io.clusterwright.examples.crash;

import io.clusterwright.azure.emulator.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A disturbance at one effect of an operation.
 *
 * @param fault the fault of the cloud; empty for other kinds
 */
record Trouble(Kind kind, Optional<Fault.Kind> fault) {
    /** A kill before an effect. */
    static final Trouble KILLED_BEFORE = new Trouble(Kind.KILLED_BEFORE, Optional.empty());

    /** A kill after an effect. */
    static final Trouble KILLED_AFTER = new Trouble(Kind.KILLED_AFTER, Optional.empty());

    /** A kill within an effect. */
    static final Trouble KILLED_WITHIN = new Trouble(Kind.KILLED_WITHIN, Optional.empty());

    private static final String SCALE_SET = "/virtualmachinescalesets/[^/]+";

    /** Kinds of disturbances. Of two at one effect, the first of these comes first. */
    enum Kind {
        /** The folder of the records has no room from this effect on. */
        DISK_FULL,
        /** The cloud answers with a fault. */
        FAULT,
        /** The clock of the client's machine is three hours ahead from now on. */
        CLOCK_FORWARD,
        /** The clock of the client's machine is three hours behind from now on. */
        CLOCK_BACK,
        /** The node answers after a minute. */
        NODE_SLOW,
        /** The process stands still for ten minutes, and the nodes end its connections. */
        CLIENT_STOPPED,
        /** The nodes know nothing of the connections, which the client takes for open until 20 seconds have passed without an answer. */
        LINK_HALF_OPEN,
        /** The way to all nodes breaks before the effect, for two minutes. */
        LINK_BROKEN_BEFORE,
        /** The way to all nodes breaks after the effect, whose answer is lost, for two minutes. */
        LINK_BROKEN_AFTER,
        /** The process ends before the effect. */
        KILLED_BEFORE,
        /** The process ends in the middle of the effect. */
        KILLED_WITHIN,
        /** The process ends after the effect, before it learns of it. */
        KILLED_AFTER
    }

    /** All disturbances. */
    static List<Trouble> all() {
        List<Trouble> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (kind != Kind.FAULT) {
                all.add(new Trouble(kind, Optional.empty()));
            }
        }
        for (Fault.Kind fault : Fault.Kind.values()) {
            all.add(new Trouble(Kind.FAULT, Optional.of(fault)));
        }
        return all;
    }

    /**
     * Whether it ends by itself, so that the operation succeeds all the same. A node that took its identity away lets nobody in, so that nobody
     * knows whether it did all of it.
     */
    boolean passes(Effect effect) {
        return switch (kind) {
            case CLOCK_FORWARD, CLOCK_BACK, LINK_HALF_OPEN, LINK_BROKEN_BEFORE, NODE_SLOW -> true;
            case LINK_BROKEN_AFTER, CLIENT_STOPPED -> !effect.what().equals("deprovision");
            default -> false;
        };
    }

    /** Whether it can happen at this effect. */
    boolean fits(Effect effect) {
        return switch (kind) {
            case KILLED_BEFORE, KILLED_AFTER, CLIENT_STOPPED, CLOCK_FORWARD, CLOCK_BACK -> true;
            case LINK_HALF_OPEN, LINK_BROKEN_BEFORE, LINK_BROKEN_AFTER, NODE_SLOW -> effect.kind() == Effect.Kind.NODE;
            case KILLED_WITHIN -> effect.kind() == Effect.Kind.JOURNAL || effect.kind() == Effect.Kind.FORGET;
            case DISK_FULL -> effect.kind() == Effect.Kind.JOURNAL || effect.kind() == Effect.Kind.SECRET;
            case FAULT ->
                effect.kind() == Effect.Kind.AZURE && hits(effect.what().toLowerCase(Locale.ROOT));
        };
    }

    private boolean hits(String request) {
        boolean machine = request.matches("put .*/virtualmachines/[^/]+");
        boolean scaleSet = request.matches("put .*" + SCALE_SET);
        return switch (fault.orElseThrow()) {
            case SKU_NOT_AVAILABLE,
                    QUOTA_EXCEEDED,
                    ALLOCATION_FAILED,
                    OVERCONSTRAINED,
                    OS_PROVISIONING_TIMED_OUT,
                    SSH_NEVER_ANSWERS -> machine || scaleSet;
            case NIC_RESERVED -> machine;
            case EXTENSION_FAILED -> scaleSet || request.matches("put .*/extensions/[^/]+");
            default -> true;
        };
    }

    /** The fault, at this request. */
    Fault at(Effect effect) {
        String[] words = effect.what().split(" ", 2);
        Fault.Kind which = fault.orElseThrow();
        boolean ofInstance = words[1].toLowerCase(Locale.ROOT).matches(".*" + SCALE_SET)
                && (which == Fault.Kind.EXTENSION_FAILED || which == Fault.Kind.SSH_NEVER_ANSWERS);
        return which == Fault.Kind.LIST_LAG
                ? Fault.of(which, "GET", "**").always()
                : Fault.of(which, words[0], ofInstance ? words[1] + "/virtualMachines/*" : words[1]);
    }

    @Override
    public String toString() {
        return fault.map(Fault.Kind::code)
                .orElse(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
}
