package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CatalogEntriesTest {
    /** The emulated Azure asked whether a region's sizes contain one, and two requests at the same time had two objects of it. */
    @Test
    void threadsThatAskAtTheSameTimeGetTheSameEntry() {
        CountDownLatch making = new CountDownLatch(2);
        CatalogEntries<Object> entries = new CatalogEntries<>(Map.of("a9", new CatalogEntries.Entry<>(() -> {
            making.countDown();
            try {
                // With one maker the second never comes.
                assertThat(making.await(200, TimeUnit.MILLISECONDS)).isFalse();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new Object();
        })));

        CompletableFuture<List<Object>> other = CompletableFuture.supplyAsync(entries::all);

        assertThat(entries.find("a9")).containsSame(other.join().get(0));
    }
}
