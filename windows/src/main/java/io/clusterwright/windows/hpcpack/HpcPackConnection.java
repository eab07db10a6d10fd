package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.rest.Trust;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a head node. Immutable; each method that names a part gives another connection.
 *
 * <pre>{@code
 * HpcPackConnection.to(URI.create("https://head.hpc.example"), HpcPackLogin.basic("HPC\\user", password))
 *     .trust(Path.of("HPCWebComponent_HEAD_20261121101500.cer"));
 * }</pre>
 */
public final class HpcPackConnection {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final URI headNode;
    private final HpcPackLogin login;
    private final List<X509Certificate> trusted;
    private final @Nullable SSLContext context;
    private final Duration connectLimit;
    private final Duration requestLimit;
    private final Duration operationLimit;
    private final String asUser;
    private final @Nullable ApiGeneration generation;

    private HpcPackConnection(
            URI headNode,
            HpcPackLogin login,
            List<X509Certificate> trusted,
            @Nullable SSLContext context,
            Duration connectLimit,
            Duration requestLimit,
            Duration operationLimit,
            String asUser,
            @Nullable ApiGeneration generation) {
        this.headNode = headNode;
        this.login = login;
        this.trusted = trusted;
        this.context = context;
        this.connectLimit = connectLimit;
        this.requestLimit = requestLimit;
        this.operationLimit = operationLimit;
        this.asUser = asUser;
        this.generation = generation;
    }

    /**
     * The connection to a head node, trusting the certificates that this Java trusts, with 10 s to connect, 30 s for an answer, and 2 min for
     * an operation with all its tries.
     *
     * @param headNode {@code https} and the full name that the head node's certificate carries, with a port where it is not 443, without
     *     a path; {@code http} on loopback only
     * @throws InvalidValueException when it is anything else
     */
    public static HpcPackConnection to(URI headNode, HpcPackLogin login) {
        return new HpcPackConnection(
                checked(headNode),
                Objects.requireNonNull(login, "login"),
                List.of(),
                null,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                "",
                null);
    }

    private static URI checked(URI headNode) {
        String scheme = String.valueOf(headNode.getScheme()).toLowerCase(Locale.ROOT);
        String host = headNode.getHost();
        boolean plain = scheme.equals("http") && host != null && LOOPBACK.contains(host);
        String path = headNode.getPath();
        boolean bare = (path == null || path.isEmpty() || path.equals("/"))
                && headNode.getQuery() == null
                && headNode.getFragment() == null
                && headNode.getUserInfo() == null;
        if (host == null || !bare || !(scheme.equals("https") || plain)) {
            throw new InvalidValueException(
                    "head node's address",
                    headNode.getUserInfo() == null ? headNode.toString() : scheme + "://***@" + host,
                    "https:// and the full name that its certificate carries, without user, path or query (http:// on loopback only)",
                    "https://head.hpc.example");
        }
        return URI.create(scheme + "://" + headNode.getRawAuthority());
    }

    /**
     * The same connection that trusts these certificates and no others; the trust of this Java stays as it is. The name in the certificate is
     * checked all the same.
     *
     * @throws IllegalArgumentException when there is none
     */
    public HpcPackConnection trust(List<X509Certificate> certificates) {
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(
                    "a connection that trusts no certificate reaches nobody: give at least one");
        }
        List<X509Certificate> copy = List.copyOf(certificates);
        return new HpcPackConnection(
                headNode, login, copy, null, connectLimit, requestLimit, operationLimit, asUser, generation);
    }

    /**
     * The same connection that trusts the certificates of this file and no others, such as the {@code HPCWebComponent_….cer} that the IaaS
     * script leaves in the Documents folder.
     *
     * @param certificates in DER or PEM
     * @throws io.clusterwright.core.type.InvalidValueException when the file cannot be read or holds no certificate
     */
    public HpcPackConnection trust(Path certificates) {
        return trust(Trust.read(certificates));
    }

    /** The same connection with a TLS context of the caller's, for whom it stays to decide what is trusted. */
    public HpcPackConnection tls(SSLContext own) {
        Objects.requireNonNull(own, "own");
        return new HpcPackConnection(
                headNode, login, List.of(), own, connectLimit, requestLimit, operationLimit, asUser, generation);
    }

    /**
     * The same connection with these limits.
     *
     * @param connect to reach the head node
     * @param request from sending a request to the end of its answer
     * @param operation for a call with all its tries and redirects
     * @throws IllegalArgumentException when one is not positive
     */
    public HpcPackConnection limits(Duration connect, Duration request, Duration operation) {
        for (Duration limit : List.of(connect, request, operation)) {
            if (limit.isZero() || limit.isNegative()) {
                throw new IllegalArgumentException("a limit must be positive, not " + limit);
            }
        }
        return new HpcPackConnection(
                headNode, login, trusted, context, connect, request, operation, asUser, generation);
    }

    /**
     * The same connection that acts for another user ({@code x-ms-as-user}), which only an administrator or job administrator may; not with
     * HPC Pack 2012.
     */
    public HpcPackConnection asUser(String user) {
        HpcPackLogin.requireUser(user);
        return new HpcPackConnection(
                headNode, login, trusted, context, connectLimit, requestLimit, operationLimit, user, generation);
    }

    /** The same connection to a head node of this generation, which is asked for otherwise. */
    public HpcPackConnection generation(ApiGeneration known) {
        return new HpcPackConnection(
                headNode, login, trusted, context, connectLimit, requestLimit, operationLimit, asUser, known);
    }

    /** Scheme, name and port of the head node. */
    public URI headNode() {
        return headNode;
    }

    /** The login. */
    public HpcPackLogin login() {
        return login;
    }

    /** The TLS context; absent when it is that of this Java. */
    public Optional<SSLContext> tls() {
        return context != null
                ? Optional.of(context)
                : trusted.isEmpty() ? Optional.empty() : Optional.of(Trust.context(new ArrayList<>(trusted)));
    }

    /** The time to connect. */
    public Duration connectLimit() {
        return connectLimit;
    }

    /** The time for an answer. */
    public Duration requestLimit() {
        return requestLimit;
    }

    /** The time for an operation with all its tries. */
    public Duration operationLimit() {
        return operationLimit;
    }

    /** The user it acts for; empty for the one who logs in. */
    public String asUser() {
        return asUser;
    }

    /** The generation, where it is known. */
    public Optional<ApiGeneration> generation() {
        return Optional.ofNullable(generation);
    }
}
