package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trust, logins, redirects, deadlines and what is tried again. */
class TransportTest {
    private final HpcPackEmulator head = HpcPackEmulator.builder().plainHttp().start();

    @AfterEach
    void stop() {
        head.close();
    }

    @Nested
    class Reading {
        @Test
        void isRetriedWhileTheHeadNodeIsBusy() {
            try (HpcPackClient client = HeadNode.open(head)) {
                head.refuseRequests(2, Duration.ZERO);
                assertThat(client.nodes().list()).hasSize(2);
                assertThat(statuses("GET", "/hpc/cluster/nodes")).containsExactly(503, 503, 200);
            }
        }

        @Test
        void isRetriedWhenTheConnectionBreaks() {
            try (HpcPackClient client = HeadNode.open(head)) {
                head.breakConnections(1);
                assertThat(client.nodes().list()).hasSize(2);
                assertThat(statuses("GET", "/hpc/cluster/nodes")).containsSubsequence(0, 200);
            }
        }

        @Test
        void endsAfterFourTries() {
            try (HpcPackClient client = HeadNode.open(head)) {
                head.refuseRequests(9, Duration.ZERO);
                assertThatThrownBy(() -> client.nodes().list())
                        .isInstanceOf(HpcPackException.Unavailable.class)
                        .hasMessageContaining("answered 503")
                        .hasMessageContaining("list the nodes");
                assertThat(statuses("GET", "/hpc/cluster/nodes")).hasSize(4);
            }
        }

        @Test
        void endsWithTheOperationsLimit() {
            try (HpcPackClient client = HpcPackClient.open(HeadNode.impatient(head))) {
                head.delayRequests(9, Duration.ofMillis(1000));
                assertThatThrownBy(() -> client.nodes().list())
                        .isInstanceOf(HpcPackException.Unavailable.class)
                        .hasMessageContaining("300 ms for an answer")
                        .hasMessageContaining("HpcPackConnection.limits");
            }
        }
    }

    @Nested
    class Changing {
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void isSentOnce(boolean broken) {
            try (HpcPackClient client = HeadNode.open(head)) {
                if (broken) {
                    head.breakConnections(1);
                } else {
                    head.refuseRequests(1, Duration.ZERO);
                }
                assertThatThrownBy(() -> client.jobs().create(HpcPackJob.named("job")))
                        .isInstanceOf(HpcPackException.Unavailable.class);
                assertThat(statuses("POST", "/hpc/jobs")).hasSize(1);
                assertThat(client.jobs().list()).hasSize(broken ? 1 : 0);
            }
        }

        @Test
        void reportsAnUnknownOutcome() {
            try (HpcPackClient client = HpcPackClient.open(HeadNode.impatient(head))) {
                head.delayRequests(1, Duration.ofMillis(1000));
                assertThatThrownBy(() -> client.jobs().create(HpcPackJob.named("job")))
                        .isInstanceOf(HpcPackException.Unavailable.class)
                        .hasMessageContaining("the head node may have done it");
            }
        }
    }

    @Nested
    class Redirects {
        @Test
        void areFollowedToTheSameAuthority() {
            try (HpcPackClient client = HeadNode.open(head)) {
                head.redirectRequests(1, 307, head.url().toString());
                int job = client.jobs().create(HpcPackJob.named("job"));
                head.redirectRequests(1, 302, "");
                assertThat(client.jobs().get(job).state()).isEqualTo(JobState.CONFIGURING);
            }
        }

        @Test
        void areNotFollowedToAnother() {
            try (HpcPackEmulator other = HpcPackEmulator.builder().plainHttp().start();
                    HpcPackClient client = HeadNode.open(head)) {
                head.redirectRequests(1, 307, other.url().toString());
                assertThatThrownBy(() -> client.nodes().list())
                        .isInstanceOf(HpcPackException.Refused.class)
                        .hasMessageContaining(other.url().toString())
                        .hasMessageContaining("same authority only");
                assertThat(other.requests()).isEmpty();
            }
        }

        @Test
        void doNotTurnAChangeIntoAnotherRequest() {
            try (HpcPackClient client = HeadNode.open(head)) {
                head.redirectRequests(1, 302, "");
                assertThatThrownBy(() -> client.jobs().create(HpcPackJob.named("job")))
                        .isInstanceOf(HpcPackException.Refused.class);
                assertThat(client.jobs().list()).isEmpty();
            }
        }

        @Test
        void redirectsEnd() {
            try (HpcPackClient client = HeadNode.open(head)) {
                head.redirectRequests(20, 307, "");
                assertThatThrownBy(() -> client.nodes().list())
                        .isInstanceOf(HpcPackException.Refused.class)
                        .hasMessageContaining("at most 5 times");
            }
        }
    }

    @Nested
    class Logins {
        @Test
        void requestATokenForEachCall() {
            int[] asked = {0};
            HpcPackLogin login = HpcPackLogin.bearer(() -> {
                asked[0]++;
                return head.token();
            });
            try (HpcPackClient client = HpcPackClient.open(HpcPackConnection.of(head.url(), login))) {
                client.nodes().list();
                client.nodes().list();
            }
            assertThat(asked[0]).isEqualTo(3);
        }

        @Test
        void areRefusedWithoutShowingTheSecret() {
            HpcPackLogin login = HpcPackLogin.basic("HPC\\hpcadmin", Secret.of("not-this-one"));
            assertThatThrownBy(() -> HpcPackClient.open(HpcPackConnection.of(head.url(), login)))
                    .isInstanceOf(HpcPackException.LoginRefused.class)
                    .hasMessageContaining("answered 401")
                    .hasMessageNotContaining("not-this-one");
            assertThat(login.toString()).doesNotContain("not-this-one");
            assertThat(login.authorization().toString()).isEqualTo("***");
        }
    }

    @Nested
    class Addresses {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "http://head.example",
                    "https://user:secret@head.example",
                    "https://head.example/hpc",
                    "ftp://head.example",
                    "head.example",
                    "https://head.example?a=b"
                })
        void withOtherPartsAreRefused(String address) {
            assertThatThrownBy(() ->
                            HpcPackConnection.of(URI.create(address), HpcPackLogin.basic("HPC\\user", Secret.of("x"))))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("https://head.hpc.example")
                    .hasMessageNotContaining("secret");
        }

        @Test
        void withoutAHeadNodeAreReported() {
            URI url = head.url();
            head.close();
            assertThatThrownBy(() -> HpcPackClient.open(
                            HpcPackConnection.of(url, HpcPackLogin.basic("HPC\\user", Secret.of("x")))))
                    .isInstanceOf(HpcPackException.Unavailable.class)
                    .hasMessageContaining("nothing answers there");
        }
    }

    @Nested
    class Trust {
        @TempDir
        private Path folder;

        @Test
        void isForOneClientAndOneCertificate() throws Exception {
            SSLContext before = SSLContext.getDefault();
            var verifier = HttpsURLConnection.getDefaultHostnameVerifier();
            var factory = HttpsURLConnection.getDefaultSSLSocketFactory();
            try (HpcPackEmulator secure = HpcPackEmulator.builder().start();
                    HpcPackEmulator stranger = HpcPackEmulator.builder().start()) {
                HpcPackLogin login = HpcPackLogin.basic(secure.user(), secure.password());
                HpcPackConnection plain = HpcPackConnection.of(secure.url(), login);
                try (HpcPackClient client = HpcPackClient.open(plain.trust(exported(secure)))) {
                    assertThat(client.nodes().list()).hasSize(2);
                }
                untrusted(plain);
                untrusted(plain.trust(List.of(stranger.certificate())));
                assertThat(secure.requests()).hasSize(2);
            }
            assertThat(SSLContext.getDefault()).isSameAs(before);
            assertThat(HttpsURLConnection.getDefaultHostnameVerifier()).isSameAs(verifier);
            assertThat(HttpsURLConnection.getDefaultSSLSocketFactory()).isSameAs(factory);
        }

        private static void untrusted(HpcPackConnection connection) {
            assertThatThrownBy(() -> HpcPackClient.open(connection))
                    .isInstanceOf(HpcPackException.Unavailable.class)
                    .hasMessageContaining("not trusted")
                    .hasMessageContaining("HpcPackConnection.trust");
        }

        private Path exported(HpcPackEmulator secure) throws Exception {
            byte[] der = secure.certificate().getEncoded();
            return Files.writeString(
                    folder.resolve("head.cer"),
                    "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(der)
                            + "\n-----END CERTIFICATE-----\n");
        }

        @Test
        void inAFileThatHoldsNoneIsRefused() throws Exception {
            Path file = Files.writeString(folder.resolve("empty.cer"), "no certificate");
            HpcPackConnection plain = HpcPackConnection.of(head.url(), HpcPackLogin.basic("HPC\\user", Secret.of("x")));
            assertThatThrownBy(() -> plain.trust(file))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("empty.cer");
        }
    }

    @Test
    void interruptEndsTheWaitAndKeepsTheFlag() {
        try (HpcPackClient client = HeadNode.open(head)) {
            head.delayRequests(1, Duration.ofMillis(2000));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> client.nodes().list()).isInstanceOf(OperationInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private List<Integer> statuses(String method, String path) {
        return head.requests().stream()
                .map(seen -> seen.split(" "))
                .filter(seen -> seen[0].equals(method) && seen[1].equals(path))
                .map(seen -> seen[2].equals("broken") ? 0 : Integer.parseInt(seen[2]))
                .toList();
    }
}
