package io.clusterwright.core.spi;

import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;

/**
 * A key pair in OpenSSH's text forms. A backend makes it for a login or for a host.
 *
 * @param publicKey the public key
 * @param privateKey the private key, as a PEM block
 * @see NodeBackend
 */
public record SshKeyPair(SshPublicKey publicKey, Secret privateKey) {}
