package io.clusterwright.core.spi;

import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;

/**
 * A key pair in OpenSSH's text forms.
 *
 * @param publicKey the public key
 * @param privateKey the private key, as a PEM block
 */
public record SshKeyPair(SshPublicKey publicKey, Secret privateKey) {}
