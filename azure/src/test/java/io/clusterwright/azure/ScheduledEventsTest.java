package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Azure announces to a machine. */
@Tag("breadth")
class ScheduledEventsTest {
    private static final NodeName NODE = new NodeName("node1");

    private static final String DOCUMENT = """
        {"DocumentIncarnation": 7, "Events": [
          {"EventId": "C7061BAC-AFDC-4513-B24B-AA5F13A16123", "EventStatus": "Scheduled", "EventType": "Freeze",
           "ResourceType": "VirtualMachine", "Resources": ["cluster11", "cluster12"],
           "NotBefore": "Mon, 19 Sep 2016 18:29:47 GMT", "Description": "Host server is undergoing maintenance.",
           "EventSource": "Platform", "DurationInSeconds": 9},
          {"EventId": "2", "EventStatus": "Started", "EventType": "Preempt", "ResourceType": "VirtualMachine",
           "Resources": ["cluster-vmss_1"], "NotBefore": "", "Description": "", "EventSource": "Platform",
           "DurationInSeconds": -1},
          {"EventId": "3", "EventStatus": "Paused", "EventType": "Levitate", "ResourceType": "Balloon",
           "Resources": []}]}
        """;

    @Nested
    class Reading {
        private final ScheduledEvents events = ScheduledEvents.parse(NODE, DOCUMENT);

        @Test
        void readsTypeTimeAndMachines() {
            assertThat(events.incarnation()).isEqualTo(7);
            ScheduledEvent freeze = events.events().get(0);
            assertThat(freeze.type()).isEqualTo("Freeze");
            assertThat(freeze.endsProcesses()).isFalse();
            assertThat(freeze.status()).isEqualTo("Scheduled");
            assertThat(freeze.notBefore()).contains(Instant.parse("2016-09-19T18:29:47Z"));
            assertThat(freeze.interruption()).contains(Duration.ofSeconds(9));
            assertThat(freeze.source()).isEqualTo("Platform");
            assertThat(events.about("CLUSTER12")).containsExactly(freeze);
            assertThat(events.about("cluster1")).isEmpty();
        }

        @Test
        void startedEventHasNoTime() {
            ScheduledEvent preempt = events.about("cluster-vmss_1").get(0);
            assertThat(preempt.removesMachine()).isTrue();
            assertThat(preempt.endsProcesses()).isTrue();
            assertThat(preempt.status()).isEqualTo("Started");
            assertThat(preempt.notBefore()).isEmpty();
            assertThat(preempt.interruption()).isEmpty();
        }

        @Test
        void keepsUnknownTypes() {
            ScheduledEvent unknown = events.events().get(2);
            assertThat(unknown.endsProcesses()).isFalse();
            assertThat(unknown.removesMachine()).isFalse();
            assertThat(unknown.type()).isEqualTo("Levitate");
            assertThat(unknown.status()).isEqualTo("Paused");
            assertThat(unknown.resourceType()).isEqualTo("Balloon");
        }

        /** The example in Microsoft's description says Monday of a Saturday. */
        @Test
        void ignoresWrongDayOfWeek() {
            ScheduledEvents wrong = ScheduledEvents.parse(
                    NODE, DOCUMENT.replace("Mon, 19 Sep 2016 18:29:47", "Mon, 11 Apr 2026 22:26:58"));
            assertThat(wrong.events().get(0).notBefore()).contains(Instant.parse("2026-04-11T22:26:58Z"));
        }

        @Test
        void refusesOtherDocuments() {
            assertThatThrownBy(() -> ScheduledEvents.parse(NODE, "<html>"))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("on node1, the answer of the metadata service is not JSON: <html>");
            assertThatThrownBy(() -> ScheduledEvents.parse(NODE, "{\"Events\": 3}"))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("has no list Events");
        }

        @Test
        void approvesById() {
            assertThat(ScheduledEvents.approval(events.events().subList(1, 3)))
                    .isEqualTo("{\"StartRequests\":[{\"EventId\":\"2\"},{\"EventId\":\"3\"}]}");
        }
    }

    /**
     * A service like Azure's on the loopback of a real node, which no other machine reaches; no packet for
     * 169.254.169.254 is ever made.
     */
    @Nested
    class OnANode {
        private static final InstanceMetadata HERE = new InstanceMetadata("http://127.0.0.1:8169");

        /** Answers as Azure does: 400 without the header or the version, the document, and what an approval leaves of it. */
        private static final String SERVICE = """
            import http.server, json
            document = json.loads(open('/tmp/document').read())
            class Service(http.server.BaseHTTPRequestHandler):
                def answer(self, status, text):
                    self.send_response(status); self.end_headers(); self.wfile.write(text.encode())
                def good(self):
                    return self.headers.get('Metadata') == 'true' and 'api-version=20' in self.path
                def do_GET(self):
                    if not self.good(): self.answer(400, '{"error": "Bad request"}')
                    elif self.path.startswith('/metadata/instance/compute/name?'): self.answer(200, 'cluster-vmss_1')
                    else: self.answer(200, json.dumps(document))
                def do_POST(self):
                    body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                    ids = [request['EventId'] for request in body['StartRequests']]
                    if not self.good() or not all(any(e['EventId'] == i for e in document['Events']) for i in ids):
                        self.answer(400, '{"error": "Bad request"}')
                        return
                    for event in document['Events']:
                        if event['EventId'] in ids: event['EventStatus'] = 'Started'; event['NotBefore'] = ''
                    document['DocumentIncarnation'] += 1
                    self.answer(200, '')
                def log_message(self, *words): pass
            server = http.server.HTTPServer(('127.0.0.1', 8169), Service)
            open('/tmp/serving', 'w').close()
            server.serve_forever()
            """;

        @TempDir
        private Path folder;

        @Test
        void readsAndApprovesEventsOnANode() {
            ClusterSpec spec = ClusterSpec.builder("events")
                    .region("local")
                    .nodes(n -> n.count(1).size("local"))
                    .network(n -> n.addressSpace("10.56.0.0/16"))
                    .image(i -> i.capture(false))
                    .build();
            LocalMachines local = AzureFixture.local(folder);
            try (ClusterManager manager = AzureFixture.manager(local, folder);
                    Cluster cluster = manager.create(spec)) {
                try {
                    NodeSession session = cluster.session(cluster.nodes().get(0).name());
                    assertThatThrownBy(() -> ScheduledEvents.read(session, HERE))
                            .isInstanceOf(ClusterwrightException.class)
                            .hasMessageContaining(
                                    "on events1, cannot read the scheduled events: there is no metadata service")
                            .hasMessageContaining("only Azure virtual machines");
                    serve(session);
                    ask(session);
                } finally {
                    manager.destroy(spec.name());
                }
            }
        }

        private static void serve(NodeSession session) {
            session.write(DOCUMENT.getBytes(StandardCharsets.UTF_8), "/tmp/document", 0644);
            session.write(SERVICE.getBytes(StandardCharsets.UTF_8), "/tmp/service.py", 0644);
            session.run(Command.shell("nohup python3 /tmp/service.py >/tmp/service.log 2>&1 &\n"
                            + "for i in $(seq 300); do [ -e /tmp/serving ] && exit 0; sleep 0.1; done; exit 1"))
                    .orThrow();
        }

        private static void ask(NodeSession session) {
            ScheduledEvents events = ScheduledEvents.read(session, HERE);
            assertThat(events).isEqualTo(ScheduledEvents.parse(session.node(), DOCUMENT));
            assertThat(HERE.machineName(session)).isEqualTo("cluster-vmss_1");
            assertThat(ScheduledEvents.aboutToLeave(HERE).test(session)).isTrue();

            ScheduledEvents.approve(session, List.of(), HERE);
            assertThat(ScheduledEvents.read(session, HERE)).isEqualTo(events);
            ScheduledEvents.approve(session, events.about("cluster11"), HERE);
            ScheduledEvents after = ScheduledEvents.read(session, HERE);
            assertThat(after.incarnation()).isEqualTo(8);
            assertThat(after.about("cluster11"))
                    .singleElement()
                    .matches(event -> event.status().equals("Started"));

            ScheduledEvent unknown =
                    new ScheduledEvent(JsonNodeFactory.instance.objectNode().put("EventId", "gone"));
            assertThatThrownBy(() -> ScheduledEvents.approve(session, List.of(unknown), HERE))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("cannot approve scheduled events: the metadata service answers 400");
        }
    }

    @Test
    void azuresServiceListensAtTheLinkLocalAddress() {
        assertThat(InstanceMetadata.AZURE.base()).isEqualTo("http://169.254.169.254");
    }
}
