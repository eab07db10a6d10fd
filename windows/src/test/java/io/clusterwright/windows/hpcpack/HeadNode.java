package io.clusterwright.windows.hpcpack;

import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.time.Duration;
import java.util.List;

/** Ways to an emulated head node. */
final class HeadNode {
    private HeadNode() {}

    static HpcPackConnection connection(HpcPackEmulator head) {
        HpcPackConnection plain = HpcPackConnection.of(head.url(), HpcPackLogin.basic(head.user(), head.password()));
        return head.url().getScheme().equals("https") ? plain.trust(List.of(head.certificate())) : plain;
    }

    static HpcPackClient open(HpcPackEmulator head) {
        return HpcPackClient.open(connection(head));
    }

    static HpcPackConnection impatient(HpcPackEmulator head) {
        return connection(head).limits(Duration.ofSeconds(2), Duration.ofMillis(300), Duration.ofSeconds(3));
    }
}
