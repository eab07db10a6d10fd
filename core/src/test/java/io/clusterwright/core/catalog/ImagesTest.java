package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImagesTest {
    private static final String ARTICLE = "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708";
    private static final Images IMAGES = Images.standard();

    @Test
    void findsTheImagesOfTheArticleByItsSearch() {
        assertThat(IMAGES.matching("suse.*hpc"))
                .extracting(ImageFacts::name)
                .contains(
                        ARTICLE,
                        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-priority-v20150708",
                        "SUSE:sles-12-sp5-hpc:gen1")
                .doesNotContain("SUSE:sles-12-sp5:gen1");
    }

    @Test
    void marksThePaidTwins() {
        assertThat(IMAGES.all().stream().filter(ImageFacts::isPaid)).hasSize(4).allSatisfy(image -> {
            assertThat(image.name()).containsIgnoringCase("-priority");
            ImageFacts twin = IMAGES.withoutPaidSupport(image).orElseThrow();
            assertThat(twin.name()).doesNotContainIgnoringCase("-priority");
            assertThat(twin.isPaid()).isFalse();
            assertThat(twin.distribution()).isEqualTo(image.distribution());
            assertThat(twin.isClassic()).isEqualTo(image.isClassic());
            assertThat(IMAGES.withoutPaidSupport(twin)).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        ARTICLE + ", SUSE:SLES-HPC:12:latest",
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-priority-v20150708, SUSE:SLES-HPC-Priority:12:latest",
        "B4590D9E3ED742E4A1D46E5424AA335E__suse-sles-12-SP1-hpc-v20160824, SUSE:SLES-HPC:12-SP1:latest",
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-sp1-hpc-priority-v20160824, SUSE:SLES-HPC-Priority:12-SP1:latest",
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-13-hpc, b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-13-hpc",
        "SUSE:SLES-HPC:12:latest, SUSE:SLES-HPC:12:latest",
        "auto, auto"
    })
    void replacesClassicNamesByImagesOfTheMarketplace(String reference, String today) {
        assertThat(IMAGES.withoutClassicName(ImageReference.of(reference))).hasToString(today);
    }

    @Test
    void aClassicImageAndItsReplacementHaveTheSameContent() {
        assertThat(IMAGES.all().stream().filter(ImageFacts::isClassic))
                .hasSize(4)
                .allSatisfy(image -> {
                    ImageFacts today =
                            IMAGES.find(image.reference().orElseThrow()).orElseThrow();
                    assertThat(today.isClassic()).isFalse();
                    assertThat(today.distribution()).isEqualTo(image.distribution());
                    assertThat(today.driversFor()).isEqualTo(image.driversFor());
                    assertThat(today.isPaid()).isEqualTo(image.isPaid());
                });
    }

    @Test
    void refusesASearchThatIsNoRegularExpression() {
        assertThatThrownBy(() -> IMAGES.matching("suse.*(hpc"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(
                        "invalid search for images \"suse.*(hpc\": use a valid regular expression: Unclosed group")
                .hasMessageContaining("(example: suse.*hpc");
    }

    @Test
    void knowsWhatIsOnAnImage() {
        ImageFacts ubuntu = IMAGES.find(Images.UBUNTU_HPC_2204).orElseThrow();
        assertThat(ubuntu.rdmaDrivers()).hasValue(true);
        assertThat(ubuntu.driversFor()).containsExactly(Interconnect.SRIOV_INFINIBAND);
        assertThat(ubuntu.mpi()).hasValue(true);
        assertThat(ubuntu.contents()).contains("HPC-X");
        assertThat(ubuntu.generation()).hasValue(2);
        assertThat(ubuntu.status()).isEqualTo(ImageFacts.Status.CURRENT);
        assertThat(ubuntu.operatingSystem()).isEqualTo(OperatingSystem.LINUX);
        ImageFacts classic = IMAGES.find(ARTICLE).orElseThrow();
        assertThat(classic.driversFor()).containsExactly(Interconnect.NETWORK_DIRECT);
        assertThat(classic.isClassic()).isTrue();
        assertThat(classic.reference()).contains(Images.SLES_HPC_12);
        assertThat(IMAGES.find(ImageReference.of(ARTICLE))).contains(classic);
        assertThat(IMAGES.find("almalinux:almalinux-hpc:8-hpc-gen2")
                        .orElseThrow()
                        .needsPlan())
                .isTrue();
        assertThat(IMAGES.find(Images.WINDOWS_SERVER_2019).orElseThrow().operatingSystem())
                .isEqualTo(OperatingSystem.WINDOWS);
    }

    @Test
    void findsAnImageInAnyVersionAndCase() {
        assertThat(IMAGES.find(ImageReference.of("Microsoft-DSVM:Ubuntu-HPC:2204:22.04.2024010901")))
                .isEqualTo(IMAGES.find(Images.UBUNTU_HPC_2204))
                .isPresent();
        assertThat(IMAGES.find(ImageReference.of("auto"))).isEmpty();
    }

    @Test
    void hasEveryImageThatHasAConstant() throws IllegalAccessException {
        for (var field : Images.class.getFields()) {
            ImageReference constant = (ImageReference) field.get(null);
            assertThat(constant).isNotNull();
            if (constant != null) {
                assertThat(IMAGES.find(constant)).as(field.getName()).isPresent();
            }
        }
    }

    @Test
    void givesEveryRowASource() {
        assertThat(IMAGES.all())
                .hasSize(106)
                .allSatisfy(image -> assertThat(image.source()).isNotBlank());
    }
}
