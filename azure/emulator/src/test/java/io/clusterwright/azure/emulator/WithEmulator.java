package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

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

    /** Waits until what a request started has succeeded. */
    void finished(ArmClient.Reply reply) {
        assertThat(arm.finish(reply)).as(reply.body().toString()).isEqualTo("Succeeded");
    }

    static void refused(ArmClient.Reply reply, int status, String code, String message) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message);
    }
}
