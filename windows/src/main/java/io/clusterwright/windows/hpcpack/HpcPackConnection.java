package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackHead;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address of a head node, with login, trust and limits. Use it to open a {@link HpcPackClient}. Immutable; each
 * method that names a part gives another connection.
 *
 * <pre>{@code
 * HpcPackConnection.of(URI.create("https://head.hpc.example"), HpcPackLogin.basic("HPC\\user", password))
 *     .trust(Path.of("HPCWebComponent_HEAD_20261121101500.cer"));
 * }</pre>
 */
public final class HpcPackConnection {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final URI headNode;
    private final HpcPackLogin login;
    private List<X509Certificate> trusted = List.of();
    private @Nullable SSLContext context;
    private Duration connectLimit = Duration.ofSeconds(10);
    private Duration requestLimit = Duration.ofSeconds(30);
    private Duration operationLimit = Duration.ofMinutes(2);
    private @Nullable String asUser;

    private HpcPackConnection(URI headNode, HpcPackLogin login) {
        this.headNode = headNode;
        this.login = login;
    }

    /**
     * The connection to a head node, trusting the certificates that this Java trusts, with 10 s to connect, 30 s for
     * an answer, and 2 min for
     * an operation with all its tries.
     *
     * @param headNode {@code https} and the full name that the head node's certificate carries, with a port where it is not 443, without
     *     a path; {@code http} on loopback only
     * @throws InvalidValueException when it is anything else
     */
    public static HpcPackConnection of(URI headNode, HpcPackLogin login) {
        return new HpcPackConnection(checked(headNode), Objects.requireNonNull(login, "login"));
    }

    /**
     * The connection to the head node that a spec names in {@code hpcPack.head}, with its login and trust.
     *
     * @throws InvalidValueException when it names none, or its file of certificates cannot be read
     * @throws io.clusterwright.core.type.SecretReference.UnavailableException when the password is not where the spec says
     */
    public static HpcPackConnection of(ClusterSpec spec) {
        HpcPackHead head = spec.hpcPack()
                .flatMap(HpcPackSpec::head)
                .orElseThrow(() -> InvalidValueException.of(
                        "the spec of " + spec.name() + " names no head node",
                        "write hpcPack: {head: {address: https://head.hpc.example, user: HPC\\user,"
                                + " password: {secret: env:HPC_PASSWORD}}}"));
        Secret password = head.password().resolve(System.getenv(), spec.baseFolder());
        HpcPackConnection connection = of(URI.create(head.address()), HpcPackLogin.basic(head.user(), password));
        return head.certificate()
                .map(file -> connection.trust(spec.baseFolder().resolve(file)))
                .orElse(connection);
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
                    "head node address",
                    headNode.getUserInfo() == null ? headNode.toString() : scheme + "://***@" + host,
                    "https:// and the full name in its certificate, without user, path or query (http:// on loopback only)",
                    "https://head.hpc.example");
        }
        return URI.create(scheme + "://" + headNode.getRawAuthority());
    }

    /** Returns a changed copy. */
    private HpcPackConnection with(Consumer<HpcPackConnection> change) {
        HpcPackConnection copy = new HpcPackConnection(headNode, login);
        copy.trusted = trusted;
        copy.context = context;
        copy.connectLimit = connectLimit;
        copy.requestLimit = requestLimit;
        copy.operationLimit = operationLimit;
        copy.asUser = asUser;
        change.accept(copy);
        return copy;
    }

    /**
     * Trusts only these certificates; the trust of this Java stays as it is. The name in the certificate is
     * checked all the same.
     *
     * @throws InvalidValueException when the list is empty
     */
    public HpcPackConnection trust(List<X509Certificate> certificates) {
        if (certificates.isEmpty()) {
            throw InvalidValueException.of(
                    "the list of trusted certificates is empty",
                    "add a certificate (example: trust(Path.of(\"HPCWebComponent_HEAD.cer\")))");
        }
        List<X509Certificate> copy = List.copyOf(certificates);
        return with(changed -> {
            changed.trusted = copy;
            changed.context = null;
        });
    }

    /**
     * Trusts only the certificates of this file, such as the {@code HPCWebComponent_….cer} that the IaaS
     * script leaves in the Documents folder.
     *
     * @param certificates in DER or PEM
     * @throws InvalidValueException when the file cannot be read or holds no certificate
     */
    public HpcPackConnection trust(Path certificates) {
        return trust(TrustedCertificates.read(certificates));
    }

    /** Sets a TLS context, which decides about trust. */
    public HpcPackConnection tls(SSLContext context) {
        Objects.requireNonNull(context, "context");
        return with(changed -> {
            changed.trusted = List.of();
            changed.context = context;
        });
    }

    /**
     * Sets time limits.
     *
     * @param connect to reach the head node
     * @param request from sending a request to the end of its answer
     * @param operation for a call with all its tries and redirects
     * @throws InvalidValueException when one is not positive
     */
    public HpcPackConnection limits(Duration connect, Duration request, Duration operation) {
        for (Duration limit : List.of(connect, request, operation)) {
            if (limit.isZero() || limit.isNegative()) {
                throw new InvalidValueException("connection limit", limit, "a positive duration", "PT30S");
            }
        }
        return with(changed -> {
            changed.connectLimit = connect;
            changed.requestLimit = request;
            changed.operationLimit = operation;
        });
    }

    /**
     * Acts for another user ({@code x-ms-as-user}); only an administrator or job administrator may do so. HPC Pack 2012 and 2012 R2
     * cannot: {@link HpcPackClient#open} refuses it.
     */
    public HpcPackConnection asUser(String user) {
        HpcPackLogin.requireUser(user);
        return with(changed -> changed.asUser = user);
    }

    /** Scheme, name and port of the head node. */
    public URI headNode() {
        return headNode;
    }

    /** The login. */
    public HpcPackLogin login() {
        return login;
    }

    /** The TLS context; absent when it is the default of this Java. */
    public Optional<SSLContext> tls() {
        if (context != null) {
            return Optional.of(context);
        }
        return trusted.isEmpty() ? Optional.empty() : Optional.of(TrustedCertificates.context(trusted));
    }

    /** The time to connect; 10 s by default. */
    public Duration connectLimit() {
        return connectLimit;
    }

    /** The time for an answer; 30 s by default. */
    public Duration requestLimit() {
        return requestLimit;
    }

    /** The time for an operation with all its tries; 2 min by default. */
    public Duration operationLimit() {
        return operationLimit;
    }

    /** The user it acts for; absent for the one who logs in. */
    public Optional<String> asUser() {
        return Optional.ofNullable(asUser);
    }
}
