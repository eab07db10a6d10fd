package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.InvalidSpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaUseTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("quota.csv"), text);
    }

    @Test
    void isReadRowByRow() throws IOException {
        assertThat(QuotaUse.read(file("# of May\nfamily,used,limit\nstandardHBv3Family,0,480\n\"Standard A\",8,8\n")))
                .containsExactly(new QuotaUse("standardHBv3Family", 0, 480), new QuotaUse("Standard A", 8, 8));
    }

    @ParameterizedTest
    @CsvSource({
        "cores, cores",
        "Cores, cores",
        "Total Regional vCPUs, cores",
        "Total Regional Cores, cores",
        "lowPriorityCores, lowPriorityCores",
        "Total Regional Low-priority vCPUs, lowPriorityCores",
        "Total Regional Spot vCPUs, lowPriorityCores"
    })
    void holdsTheQuotasOfTheRegionUnderEitherOfTheirNames(String written, String meant) throws IOException {
        QuotaUse use =
                QuotaUse.read(file("family,used,limit\n" + written + ",4,10\n")).get(0);

        assertThat(use.isFor(meant)).isTrue();
        assertThat(use.isFor("standardHBv3Family")).isFalse();
        assertThat(use.isFor(meant.equals("cores") ? "lowPriorityCores" : "cores"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1.5,9", "-1,9", "1,99999999", "x,1"})
    void refusesInvalidCoreCounts(String used, String limit) throws IOException {
        Path file = file("family,used,limit\nf," + used + "," + limit + "\n");

        assertThatThrownBy(() -> QuotaUse.read(file))
                .isInstanceOf(InvalidSpecException.class)
                .hasMessageContaining(file + ":2")
                .hasMessageContaining("a number of cores from 0 to 9999999");
    }
}
