/**
 * The files a Linux node needs, as pure functions from values to text, and editors of existing files: a second
 * edit changes nothing, and foreign lines stay as they are.
 *
 * <p>Start with {@link Hosts} for sessions to existing hosts, {@link SshClientConfig} for a configuration of ssh, and
 * {@link AnsibleInventory} for Ansible.
 */
@NullMarked
package io.clusterwright.linux;

import org.jspecify.annotations.NullMarked;
