package io.clusterwright.azure.emulator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An emulator for each test, with a client that has made a group, a network and a subnet on it. */
abstract class WithEmulator {
    final ArmEmulator emulator;
    final ArmClient arm;

    WithEmulator() {
        this(ArmEmulator.builder());
    }

    WithEmulator(ArmEmulator.Builder builder) {
        emulator = builder.start();
        arm = new ArmClient(emulator);
    }

    @BeforeEach
    void prepare() {
        arm.prepare();
    }

    @AfterEach
    void close() {
        emulator.close();
    }
}
