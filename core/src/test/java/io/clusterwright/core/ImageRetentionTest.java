package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.plan.PriceTable;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImageRetentionTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    private static StoredImage image(String name, int daysAgo) {
        Instant used = NOW.minus(Duration.ofDays(daysAgo));
        return new StoredImage(name, used.minusSeconds(60), 32L << 30, true, "")
                .usedAt(used)
                .billedAs(2);
    }

    private static final List<StoredImage> IMAGES = List.of(image("old", 90), image("new", 1), image("month", 31));

    private static List<String> surplus(ImageRetention retention) {
        return retention.surplus(IMAGES, NOW).stream().map(StoredImage::name).toList();
    }

    @Test
    void keepsByAgeAndNumber() {
        assertThat(surplus(ImageRetention.none())).containsExactly("new", "month", "old");
        assertThat(surplus(ImageRetention.none().unusedFor("30d"))).containsExactly("month", "old");
        assertThat(surplus(ImageRetention.none().keep(2))).containsExactly("old");
        assertThat(surplus(ImageRetention.none().unusedFor("60d").keep(1))).containsExactly("old");
        assertThat(surplus(ImageRetention.none().keep(3))).isEmpty();
    }

    @Test
    void refusesNegativeLimits() {
        assertThatThrownBy(() -> ImageRetention.none().keep(-1)).hasMessageContaining("number of images to keep");
        assertThatThrownBy(() -> ImageRetention.none().unusedFor(Duration.ofDays(-1)))
                .hasMessageContaining("age of images");
    }

    @Test
    void anImageCostsWhatItsCopiesCost() {
        PriceTable prices = new PriceTable("USD", Map.of(), Optional.of(new BigDecimal("0.05")));
        assertThat(IMAGES.get(0).perMonth(prices)).contains(new BigDecimal("3.20"));
        assertThat(IMAGES.get(0).perMonth(new PriceTable("USD", Map.of()))).isEmpty();
    }
}
