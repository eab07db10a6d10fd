package io.clusterwright.windows.internal.rest;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests to one head node, and the login to no other address. Retries safe ones while the head node is busy. */
public final class HeadNodeHttp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadNodeHttp.class);
    private static final int TRIES = 4;
    private static final int REDIRECTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);
    private static final Set<Integer> MOVED = Set.of(301, 302, 303, 307, 308);

    private final HpcPackConnection connection;
    private final ExecutorService threads;
    private final HttpClient client;

    HeadNodeHttp(HpcPackConnection connection) {
        this.connection = connection;
        this.threads = Threads.unbounded("hpc-pack");
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connection.connectLimit())
                .executor(threads);
        connection.tls().ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    URI headNode() {
        return connection.headNode();
    }

    /**
     * An answer of the head node.
     *
     * @param status the HTTP status
     * @param headers the headers
     * @param body the text; empty for none
     */
    record Answer(int status, HttpHeaders headers, String body) {
        Optional<String> header(String name) {
            return headers.firstValue(name);
        }
    }

    /** The answer of a success; any other becomes an exception. */
    Answer succeed(HeadNodeRequest request) {
        Answer answer = send(request);
        if (answer.status() / 100 != 2) {
            throw ErrorText.of(request, answer, headNode());
        }
        return answer;
    }

    /** The answer, whatever its status, but for redirects, which are followed to the same authority only. Safe requests are tried again. */
    Answer send(HeadNodeRequest request) {
        Deadline deadline = Deadline.in("operation", connection.operationLimit());
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        for (int number = 1; ; number++) {
            boolean last = number == TRIES || !request.isSafe() || deadline.passed();
            try {
                Answer answer = followed(request, deadline);
                if (last || !PASSING.contains(answer.status())) {
                    return answer;
                }
                LOG.debug("{} was answered {}; trying again", request.what, answer.status());
                pause(pause(answer, backoff), deadline, request.what);
            } catch (SSLException e) {
                throw new HpcPackException.Unavailable(untrusted(request, e), e);
            } catch (IOException e) {
                if (last || deadline.passed()) {
                    throw failed(request, e);
                }
                LOG.debug("{} failed; trying again", request.what, e);
                pause(backoff.next(), deadline, request.what);
            }
        }
    }

    private Answer followed(HeadNodeRequest request, Deadline deadline) throws IOException {
        URI target = URI.create(connection.headNode() + request.target());
        for (int hops = 0; ; hops++) {
            Answer answer = once(request, target, deadline);
            boolean kept = answer.status() == 307 || answer.status() == 308;
            if (!MOVED.contains(answer.status())) {
                return answer;
            }
            URI next = target.resolve(answer.header("Location").orElse(""));
            if (!sameAuthority(next) || hops == REDIRECTS || !(kept || request.isSafe())) {
                throw new HpcPackException.Refused(
                        "the head node " + headNode() + " answered " + answer.status() + " to " + request.method + " "
                                + request.path + ", naming " + next.getScheme() + "://" + next.getRawAuthority()
                                + ": a redirect is followed to the same authority only, at most " + REDIRECTS
                                + " times, and for what changes something with status 307 or 308 only; connect to the"
                                + " address that answers itself");
            }
            target = next;
        }
    }

    private boolean sameAuthority(URI next) {
        URI own = connection.headNode();
        return own.getScheme().equalsIgnoreCase(next.getScheme())
                && own.getHost().equalsIgnoreCase(next.getHost())
                && own.getPort() == next.getPort();
    }

    private Answer once(HeadNodeRequest request, URI target, Deadline deadline) throws IOException {
        Duration limit = atLeastOneMilli(deadline.remaining(connection.requestLimit()));
        HttpRequest.Builder builder = HttpRequest.newBuilder(target).timeout(limit);
        builder.header("Authorization", connection.login().authorization().reveal());
        connection.asUser().ifPresent(user -> builder.header("x-ms-as-user", user));
        request.headers.forEach(builder::header);
        if (request.body().isEmpty()) {
            builder.method(
                    request.method,
                    request.isSafe() || request.method.equals("DELETE")
                            ? HttpRequest.BodyPublishers.noBody()
                            : HttpRequest.BodyPublishers.ofByteArray(new byte[0]));
        } else {
            builder.header("Content-Type", request.contentType())
                    .method(
                            request.method,
                            HttpRequest.BodyPublishers.ofString(request.body(), StandardCharsets.UTF_8));
        }
        HttpResponse<byte[]> response = await(builder.build(), request, limit);
        return new Answer(
                response.statusCode(), response.headers(), new String(response.body(), StandardCharsets.UTF_8));
    }

    /** The client's own limit ends with the headers of the answer; this one covers its body, too. */
    private HttpResponse<byte[]> await(HttpRequest built, HeadNodeRequest request, Duration limit) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> pending = client.sendAsync(built, LimitedBody.handler());
        try {
            return WaitTime.get(pending, limit);
        } catch (TimeoutException e) {
            pending.cancel(true);
            throw new HttpTimeoutException("no complete answer within " + limit.toMillis() + " ms");
        } catch (InterruptedException e) {
            pending.cancel(true);
            throw new OperationInterruptedException(
                    "interrupted while waiting for the head node to " + request.what, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new HpcPackException.Unavailable(
                    "could not " + request.what + " at " + headNode() + ": the HTTP client failed: " + e.getCause(),
                    e.getCause());
        }
    }

    private RuntimeException failed(HeadNodeRequest request, IOException e) {
        String what = "could not " + request.what + " at " + headNode() + ": ";
        if (e instanceof HttpTimeoutException) {
            return new HpcPackException.Unavailable(
                    what + "the head node did not answer in time (" + e.getMessage() + "; limits: "
                            + connection.connectLimit().toMillis() + " ms to connect, "
                            + connection.requestLimit().toMillis() + " ms for an answer, "
                            + connection.operationLimit().toMillis() + " ms in all)"
                            + (request.isSafe() ? "" : "; the head node may have done it: check before you try again")
                            + "; raise them with HpcPackConnection.limits",
                    e);
        }
        if (e instanceof ConnectException || e.getCause() instanceof UnknownHostException) {
            return new HpcPackException.Unavailable(
                    what + "nothing answers there (" + e
                            + "); check the name, and that the firewall allows port 443 of the"
                            + " head node and its REST service is on ($env:CCP_HOME\\bin\\Set-HPCWebComponents.ps1 -Service REST"
                            + " -enable)",
                    e);
        }
        return new HpcPackException.Unavailable(
                what + "the connection broke (" + e + ")"
                        + (request.isSafe() ? "" : "; the head node may have done it: check before you try again"),
                e);
    }

    private String untrusted(HeadNodeRequest request, SSLException e) {
        return "could not " + request.what + " at " + headNode() + ": its certificate is not trusted ("
                + e.getMessage()
                + "); use the full name that the certificate carries, never an address, and trust the exported .cer"
                + " (--trust FILE.cer, HpcPackConnection.trust)";
    }

    private static Duration pause(Answer answer, Backoff backoff) {
        return answer.header("Retry-After")
                .filter(text -> text.matches("\\d{1,6}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                .orElseGet(backoff::next);
    }

    /**
     * Sleeps this long, or until the deadline.
     *
     * @param what the purpose of the wait, for the message
     * @throws OperationInterruptedException when the thread is interrupted
     */
    public static void pause(Duration length, Deadline deadline, String what) {
        Tasks.interruptibly("this thread was interrupted while it waited to " + what, () -> deadline.sleep(length));
    }

    private static Duration atLeastOneMilli(Duration limit) {
        return limit.isZero() ? Duration.ofMillis(1) : limit;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
