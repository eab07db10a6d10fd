package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
    private static final String COMPUTE = "/subscriptions/0-0/resourceGroups/rg/providers/Microsoft.Compute/";

    @Nested
    class Valid {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "auto",
                    "microsoft-dsvm:ubuntu-hpc:2204:latest",
                    "SUSE:sles-hpc:12-sp1:2016.8.24",
                    "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708",
                    "local:solver-1.2",
                    "file:/srv/trixie",
                    "file:../systems/trixie.tar.zst",
                    COMPUTE + "images/solver",
                    COMPUTE + "galleries/g/images/solver",
                    COMPUTE + "galleries/g/images/solver/versions/1.2.3"
                })
        void readsBackAsItself(String text) {
            assertThat(ImageReference.of(text)).hasToString(text).isEqualTo(ImageReference.of(text));
        }

        @Test
        void hasAKind() {
            assertThat(ImageReference.of("auto")).isInstanceOf(ImageReference.Auto.class);
            assertThat(ImageReference.of("a:b:c:latest"))
                    .isEqualTo(new ImageReference.Marketplace("a", "b", "c", "latest"));
            assertThat(ImageReference.of("B4590d9e3ed742e4a1d46e5424aa335e__suse"))
                    .isEqualTo(new ImageReference.Classic("B4590d9e3ed742e4a1d46e5424aa335e__suse"));
            assertThat(ImageReference.of("local:x")).isEqualTo(new ImageReference.Local("x"));
            assertThat(ImageReference.of("file:a/b")).isEqualTo(new ImageReference.SystemFile("a/b"));
            assertThat(ImageReference.of(COMPUTE + "images/x")).isInstanceOf(ImageReference.ResourceId.class);
        }

        @Test
        void knowsWhetherItsVersionIsFixed() {
            assertThat(new ImageReference.Marketplace("a", "b", "c", "latest").isLatest())
                    .isTrue();
            assertThat(new ImageReference.Marketplace("a", "b", "c", "1.2.3").isLatest())
                    .isFalse();
        }
    }

    @Nested
    class Invalid {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "Auto",
                    "ubuntu",
                    "remote:x",
                    "a:b:c:d:e",
                    "b4590d9e__suse-sles-12-hpc-v20150708",
                    "b4590d9e3ed742e4a1d46e5424aa335e__"
                })
        void saysWhatIsAllowed(String text) {
            assertThatThrownBy(() -> ImageReference.of(text))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid image \"" + text + "\": use auto, publisher:offer:sku:version,"
                            + " the name of a classic image, local:NAME, file:PATH or a resource id that starts with"
                            + " /subscriptions/"
                            + " (example: microsoft-dsvm:ubuntu-hpc:2204:latest)");
        }

        @Test
        void saysWhatToWriteWhereTheVersionIsMissing() {
            assertThatThrownBy(() -> ImageReference.of("SUSE:sles-12-sp5:gen1"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "invalid image \"SUSE:sles-12-sp5:gen1\": use publisher:offer:sku:version; the version is"
                                    + " missing (example: SUSE:sles-12-sp5:gen1:latest)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"a b:c:d", "a::c"})
        void saysWhatIsAllowedOfANameWithoutVersion(String text) {
            assertThatThrownBy(() -> ImageReference.of(text))
                    .hasMessageStartingWith("invalid marketplace image \"" + text);
        }

        @ParameterizedTest
        @ValueSource(strings = {"a:b:c:", "a::c:latest", "a:b:c:newest", "a b:b:c:latest", "a:b:c:1.2.3.4.5"})
        void saysWhatIsAllowedOfAMarketplaceImage(String text) {
            assertThatThrownBy(() -> ImageReference.of(text))
                    .hasMessageStartingWith("invalid marketplace image \"" + text + "\"");
        }

        @ParameterizedTest
        @ValueSource(strings = {"local:", "local:../x", "local:.x", "local:a b"})
        void saysWhatIsAllowedOfALocalImage(String text) {
            assertThatThrownBy(() -> ImageReference.of(text))
                    .hasMessageStartingWith("invalid local image \"" + text + "\"");
        }

        @ParameterizedTest
        @ValueSource(strings = {"file:", "file:/srv/my system", "file:/srv/a:b", "file:~/a,b"})
        void saysWhatIsAllowedOfASystemFile(String text) {
            assertThatThrownBy(() -> ImageReference.of(text))
                    .hasMessage("invalid path of a system \"" + text
                            + "\": use file: and a path of letters, digits or . _ / + @ - (example: file:/srv/trixie)");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/",
                    "/subscriptions/x",
                    "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/images/x"
                })
        void saysWhatIsAllowedOfAResourceId(String text) {
            assertThatThrownBy(() -> ImageReference.of(text)).hasMessageContaining("\": use /subscriptions/ID/");
        }
    }
}
