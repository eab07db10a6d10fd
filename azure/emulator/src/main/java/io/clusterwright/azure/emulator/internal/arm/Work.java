package io.clusterwright.azure.emulator.internal.arm;

import java.time.Duration;

/** Kinds of work with their duration in a region of Azure that is not under load. */
public enum Work {
    NETWORK_CREATE(4),
    NETWORK_DELETE(10),
    NETWORK_QUERY(1),
    LOAD_BALANCER(3),
    GROUP_DELETE(60),
    /** Until a list shows what was created, and no more what was deleted. */
    LIST(5),
    DEPLOYMENT(5),
    DISK(5),
    STORAGE_ACCOUNT(17),
    VM_CREATE(75),
    VM_TIME_OUT(2400),
    VM_UPDATE(20),
    VM_START(35),
    VM_POWER_OFF(25),
    VM_DEALLOCATE(50),
    VM_RESTART(30),
    VM_DELETE(45),
    RUN_COMMAND(30),
    EXTENSION(45),
    DRIVER_EXTENSION(420),
    IMAGE(30),
    GALLERY(10),
    GALLERY_VERSION(600),
    SCALE_SET_CREATE(110),
    SCALE_SET_TIME_OUT(2400),
    SCALE_SET_UPDATE(90),
    SCALE_SET_DELETE(60);

    private static final Duration FAST = Duration.ofMillis(20);

    private final Duration realistic;

    Work(int seconds) {
        this.realistic = Duration.ofSeconds(seconds);
    }

    public Duration duration(boolean isRealistic) {
        return isRealistic ? realistic : FAST;
    }
}
