package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ExtensionsTest {
    private static final Extensions EXTENSIONS = Extensions.standard();

    @Test
    void knowsTheDriverUpdateOfTheArticle() {
        ExtensionFacts update = EXTENSIONS.find("RDMAUpdateForLinux").orElseThrow();
        assertThat(update.toString()).isEqualTo("Microsoft.OSTCExtensions.RDMAUpdateForLinux 0.1");
        assertThat(update.driversFor()).containsExactly(Interconnect.NETWORK_DIRECT);
        assertThat(update.excludedRegions()).containsExactlyInAnyOrder("westus", "westeurope", "japaneast");
        assertThat(update.operatingSystem()).isEqualTo(OperatingSystem.LINUX);
    }

    @Test
    void findsTheNewestVersionOfSeveral() {
        assertThat(EXTENSIONS.find("infinibanddriverlinux").orElseThrow().version())
                .isEqualTo("1.2");
        assertThat(EXTENSIONS.find("InfiniBandDriverWindows").orElseThrow().version())
                .isEqualTo("1.5");
    }

    @Test
    void fillsMissingFieldsFromTheCatalog() {
        ExtensionSpec complete = EXTENSIONS.complete(Extensions.infiniBandDriverLinux());
        assertThat(complete.publisher()).hasValue("Microsoft.HpcCompute");
        assertThat(complete.type()).hasValue("InfiniBandDriverLinux");
        assertThat(complete.version()).hasValue("1.2");
        assertThat(EXTENSIONS
                        .complete(ExtensionSpec.builder()
                                .name("CustomScript")
                                .version("2.0")
                                .build())
                        .version())
                .hasValue("2.0");
        assertThat(EXTENSIONS.complete(ExtensionSpec.named("BGInfo")).version()).isEmpty();
    }

    @Test
    void leavesUnknownExtensionsUnchanged() {
        ExtensionSpec foreign =
                ExtensionSpec.builder().publisher("Acme").type("CustomScript").build();
        assertThat(EXTENSIONS.find(foreign)).isEmpty();
        assertThat(EXTENSIONS.complete(foreign)).isEqualTo(foreign);
    }

    @Test
    void refusesAnUnknownNameAndNamesTheNearest() {
        assertThatThrownBy(() -> EXTENSIONS.complete(ExtensionSpec.named("InfinibandDriversLinux")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("(example: InfiniBandDriverLinux");
        assertThat(EXTENSIONS.nearest("HPCLinuxNodeAgent")).isEmpty();
    }

    @Test
    void knowsEveryExtensionThatHasAFactory() {
        assertThat(Stream.of(
                        Extensions.infiniBandDriverLinux(),
                        Extensions.infiniBandDriverWindows(),
                        Extensions.rdmaUpdateForLinux(),
                        Extensions.customScriptLinux(),
                        Extensions.customScriptWindows()))
                .allSatisfy(spec -> assertThat(EXTENSIONS.find(spec)).isPresent());
    }

    @Test
    void hasEveryPublishedVersion() {
        assertThat(EXTENSIONS.all()).hasSize(14);
    }
}
