package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in given certificates, for one client. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /** The certificates of a file in DER or PEM. */
    static List<X509Certificate> read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> all = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (all.isEmpty()) {
                throw invalid(file, "it holds none");
            }
            return all;
        } catch (IOException e) {
            throw invalid(file, Reason.of(e));
        } catch (CertificateException e) {
            throw invalid(file, String.valueOf(e.getMessage()));
        }
    }

    private static InvalidValueException invalid(Path file, String why) {
        return InvalidValueException.of(
                "cannot use the certificates in " + file + ": " + why,
                "use a .cer, .crt or .pem file in DER or PEM; the head node's set-up exports one"
                        + " (example: HPCWebComponent_HEAD_20261121101500.cer)");
    }

    /** A context that trusts these and no others. */
    static SSLContext context(List<X509Certificate> certificates) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("trusted-" + i, certificates.get(i));
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java has no TLS context", e);
        }
    }
}
