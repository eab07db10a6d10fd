/**
 * Nodes out of this machine. What each part makes, and what removes it:
 *
 * <table>
 * <caption>Parts of a local cluster</caption>
 * <tr><th>Part<th>Made by<th>Removed by
 * <tr><td>route that keeps packets on this machine, bridge<td>{@code ClusterBridge}, called by {@code SharedClusterParts.create}
 *     <td>{@code SharedClusterParts.delete}
 * <tr><td>folder of the cluster in memory, base layers, record<td>{@code SharedClusterParts.create}<td>{@code SharedClusterParts.delete}
 * <tr><td>folder and record of a node<td>{@code LocalNodes.create}<td>{@code LocalNodes.remove}
 * <tr><td>namespaces and first process of a node<td>{@code NodeProcess.start}<td>{@code NodeProcess.end}, or the kernel when that process ends
 * <tr><td>control groups of a node<td>{@code NodeCgroups.create}<td>{@code NodeCgroups.remove}
 * <tr><td>mounts inside of a node<td>{@code node-init.sh}<td>the kernel, with the mount namespace
 * <tr><td>cable between a node and the bridge<td>{@code ClusterBridge.connect}<td>{@code ClusterBridge.disconnect}
 * <tr><td>user namespace of an ordinary user<td>{@code UserNamespace.holding}<td>{@code UserNamespace.release}, after the last cluster
 * <tr><td>way of SSH clients into it<td>{@code NodeRelay.to}<td>{@code NodeRelay.end}
 * <tr><td>captured images<td>{@code ImageStore.capture}<td>{@code ImageStore.delete}
 * <tr><td>unpacked layers of images<td>{@code ImageStore.provide}<td>{@code ImageStore.delete}, {@code ImageStore.release} after the last cluster
 * </table>
 */
package io.clusterwright.linux.internal.local;
