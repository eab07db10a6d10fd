package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CatalogFileTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("mine.csv"), text);
    }

    private InvalidSpecException refusal(String text) throws IOException {
        Path file = file(text);
        return catchThrowableOfType(
                InvalidSpecException.class, () -> VmSizes.standard().plus(file));
    }

    @Nested
    final class Valid {
        @Test
        void rowsOfAFileOverrideTheCatalog() throws IOException {
            VmSizes sizes = VmSizes.standard().plus(file("""
                    \uFEFF# mine
                    arm_name,vcpus,memory_gib,rdma_mode,source

                    Standard_A9,16,110,none,"measured, here"
                    Standard_Mine,4,8.5,,here
                    """));
            VmSizeFacts a9 = sizes.find(VmSizes.A9).orElseThrow();
            assertThat(a9.memoryGib()).isEqualTo(110);
            assertThat(a9.interconnect()).isEqualTo(Interconnect.NONE);
            assertThat(a9.source()).isEqualTo("measured, here");
            VmSizeFacts mine = sizes.find(VmSize.of("mine")).orElseThrow();
            assertThat(mine.billedCores()).isEqualTo(4);
            assertThat(mine.status()).isEqualTo(VmSizeFacts.Status.CURRENT);
            assertThat(sizes.all()).hasSize(75);
        }

        @Test
        void windowsLineEndsAreRead() throws IOException {
            assertThat(VmSizes.standard()
                            .plus(file("arm_name,vcpus,memory_gib,source\r\nStandard_Mine,4,8,here\r\n"))
                            .find(VmSize.of("Mine")))
                    .isPresent();
        }

        @Test
        void imagesAndExtensionsComeFromFilesToo() throws IOException {
            Images images = Images.standard().plus(file("""
                    publisher,offer,sku,os,source
                    acme,linux-hpc,1,Acme Linux 1,here
                    """));
            assertThat(images.matching("^acme:")).hasSize(1);
            Extensions extensions = Extensions.standard().plus(file("""
                    publisher,type,version,os,source
                    Microsoft.HpcCompute,InfiniBandDriverLinux,1.3,linux,here
                    """));
            assertThat(extensions.find("InfiniBandDriverLinux").orElseThrow().version())
                    .isEqualTo("1.3");
        }
    }

    @Nested
    final class Invalid {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                Standard_A,0,1,,here | vcpus
                Standard_A,1,NaN,,here | memory_gib
                Standard_A,1,1,," " | source
                Standard_A9,16,1,8,here | at least the 16 vcpus
                Standard_A,1,1,,he\u0007re | text without control characters
                """)
        void impossibleFactsAreRefused(String row, String reason) throws IOException {
            assertThat(refusal("arm_name,vcpus,memory_gib,billed_cores,source\n" + row + "\n"))
                    .hasMessageContaining("mine.csv:2")
                    .hasMessageContaining(reason);
        }

        @Test
        void everyBadRowIsNamedWithItsLineAndWhatIsAllowed() throws IOException {
            InvalidSpecException refusal = refusal("""
                    # mine
                    arm_name,vcpus,memory_gib,rdma_mode,status,retired_on,source
                    Standard_A,many,8,none,current,,here
                    Standard_B,4,8,infiniband,current,,here
                    Standard_C,4,8,none,gone,,here
                    Standard_D,4,8,none,retired,31.5.2027,here
                    Standard_E,4,0,none,current,,here
                    Standard_F,4,8,none,current,,
                    Standard_G,4,8,none,current
                    Standard_H!,4,8,none,current,,here
                    """);
            assertThat(refusal.problems())
                    .extracting(problem -> problem.line().orElse(0) + " " + problem.path())
                    .containsExactly(
                            "3 vcpus",
                            "4 rdma_mode",
                            "5 status",
                            "6 retired_on",
                            "7 memory_gib",
                            "8 source",
                            "9 ",
                            "10 arm_name");
            assertThat(refusal.source()).endsWith("mine.csv");
            assertThat(refusal)
                    .hasMessageStartingWith("the catalog has 8 problems\n")
                    .hasMessageContaining(
                            "mine.csv:3: vcpus: invalid vcpus \"many\": use a whole number, at least 1 (example: 120)")
                    .hasMessageContaining(": use one of none, network-direct, sr-iov, roce (example: sr-iov)")
                    .hasMessageContaining(": use one of current, retiring, retired (example: current)")
                    .hasMessageContaining("mine.csv:9: the row has 5 cells, and the header has 7: ");
        }

        @Test
        void anUnknownColumnNamesTheNearest() throws IOException {
            assertThat(refusal("arm_name,vcpu,memory_gib,source\n"))
                    .hasMessageContaining("mine.csv:1: vcpu: this column is not known: write vcpus")
                    .hasMessageContaining("mine.csv:1: vcpus: the column is missing: add the column to the first line");
        }

        @Test
        void aColumnOrASizeTwiceIsRefused() throws IOException {
            assertThat(refusal("arm_name,vcpus,vcpus,memory_gib,source\n"))
                    .hasMessageContaining("vcpus: columns 2 and 3 have this name: remove one of the two columns");
            assertThat(refusal("""
                            arm_name,vcpus,memory_gib,source
                            Standard_Mine,4,8,"here,
                            and there"
                            # again

                            mine,4,8,here
                            """)).hasMessageContaining("mine.csv:6: line 2 and line 6 both describe mine");
        }

        @Test
        void refusesTextThatIsNotCsv() throws IOException {
            assertThat(refusal("")).hasMessageContaining("the file is empty: begin with the line name,arm_name,");
            assertThat(refusal("arm_name,vcpus,memory_gib,source\n\"open,4,8,here\n"))
                    .hasMessageContaining("the line is not CSV");
        }

        @Test
        void aFileThatCannotBeReadIsRefused() throws IOException {
            Path missing = folder.resolve("missing.csv");
            assertThat(catchThrowableOfType(
                            InvalidSpecException.class, () -> VmSizes.standard().plus(missing)))
                    .hasMessageContaining("missing.csv: there is no such file");
            assertThat(catchThrowableOfType(
                            InvalidSpecException.class, () -> VmSizes.standard().plus(folder)))
                    .hasMessageContaining("cannot be read");
            Path latin = Files.write(folder.resolve("latin.csv"), "é".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(catchThrowableOfType(
                            InvalidSpecException.class, () -> VmSizes.standard().plus(latin)))
                    .hasMessageContaining("not UTF-8");
            Path large = Files.write(folder.resolve("large.csv"), new byte[(4 << 20) + 1]);
            assertThat(catchThrowableOfType(
                            InvalidSpecException.class, () -> VmSizes.standard().plus(large)))
                    .hasMessageContaining("more than 4 MiB");
        }
    }
}
