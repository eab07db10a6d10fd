package io.clusterwright.azure;

/**
 * A subscription that the connection can see.
 *
 * @param id its id
 * @param name its display name
 * @param state as Azure reports it, such as {@code Enabled}
 */
public record AzureSubscription(String id, String name, String state) {
    @Override
    public String toString() {
        return id + " (" + name + ", " + state + ")";
    }
}
