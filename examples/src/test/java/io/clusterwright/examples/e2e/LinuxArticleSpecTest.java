package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of the Linux article's spec, each held against the article, and its alternatives. */
class LinuxArticleSpecTest {

    private static RenderedFiles files(String... changes) throws IOException {
        String spec = Files.readString(Machine.EXAMPLES.resolve("specs/linux-article.yaml"));
        for (int i = 0; i < changes.length; i += 2) {
            assertThat(spec).contains(changes[i]);
            spec = spec.replace(changes[i], changes[i + 1]);
        }
        return Planner.offline().render(SpecReader.read(spec, "article.yaml"));
    }

    private static String text(RenderedFiles files, String name) {
        return files.find(name).orElseThrow().text();
    }

    @Test
    void rendersTheFilesOfTheArticle() throws IOException {
        RenderedFiles files = files();

        assertThat(text(files, "hostfile.hydra").lines())
                .containsExactlyElementsOf(IntStream.rangeClosed(11, 18)
                        .mapToObj(host -> "10.32.0." + host + ":16")
                        .toList());
        assertThat(text(files, "hostfile.slurm").lines())
                .containsExactlyElementsOf(IntStream.rangeClosed(11, 18)
                        .mapToObj(index -> "cluster" + index)
                        .toList());
        assertThat(text(files, "ssh_config")).isEqualTo("host 10.32.0.*\nStrictHostKeyChecking no\n");
        assertThat(text(files, "limits.conf"))
                .contains("@hpc hard    memlock unlimited\n@hpc soft    memlock unlimited\n");
        assertThat(text(files, "azuredeploy.parameters.json"))
                .contains(IntStream.rangeClosed(10111, 10118)
                        .mapToObj(port -> "\"sshPort\": " + port)
                        .toList())
                .contains("Standard_A9");
        assertThat(text(files, "mpi.env"))
                .contains(
                        "/opt/intel/impi_latest/bin64/mpivars.sh",
                        "\nexport I_MPI_FABRICS=shm:dapl\n",
                        "\nexport I_MPI_DAPL_PROVIDER=ofa-v2-ib0\n",
                        "\nexport I_MPI_DYNAMIC_CONNECTION=0\n");
    }

    /** The two images that the article prints. */
    @ParameterizedTest
    @CsvSource({
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708, SLES-HPC, false",
        "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-priority-v20150708, SLES-HPC-Priority, true"
    })
    void bootsTheImagesOfTheArticleByTheirNames(String name, String offer, boolean paid) throws IOException {
        String spec = Files.readString(Machine.EXAMPLES.resolve("specs/linux-article.yaml"))
                .replace("SUSE:SLES-HPC:12:latest", name);
        Plan plan = Planner.offline().plan(SpecReader.read(spec, "article.yaml"));

        assertThat(plan.findings())
                .filteredOn(finding -> finding.code().equals("CW-IMAGE-008"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message())
                        .isEqualTo(name + " is the name of a classic image: the machines boot SUSE:" + offer
                                + ":12:latest instead"));
        assertThat(plan.findings().stream().filter(finding -> finding.code().equals("CW-IMAGE-010")))
                .hasSize(paid ? 1 : 0)
                .allSatisfy(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                    assertThat(finding.message())
                            .isEqualTo(name + " includes paid support by SUSE, which is charged beside the price of the"
                                    + " machines: the catalog has no price of it, so neither the price in the plan nor"
                                    + " costCap includes it");
                    assertThat(finding.remedy())
                            .isEqualTo("to boot the image without paid support, write image.base:"
                                    + " b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708");
                });
        // The reader puts the archive of Intel MPI beside the spec.
        assertThat(plan.findings())
                .filteredOn(Finding::isError)
                .extracting(Finding::path)
                .containsExactly("image.customize.mpi.install.archive");
        assertThat(text(files("SUSE:SLES-HPC:12:latest", name), "azuredeploy.parameters.json"))
                .containsIgnoringWhitespaces("{\"publisher\": \"SUSE\", \"offer\": \"" + offer
                        + "\", \"sku\": \"12\", \"version\": \"latest\"}");
    }

    /** The three lines as the article prints them, with its placeholders filled in. */
    @ParameterizedTest
    @Tag("breadth")
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | -ppn 1 -n 2 -hosts host1,host2 hostname"
                        + " | /opt/intel/impi_latest/bin64/mpirun -ppn 1 -n 2 -hosts host1,host2 -env"
                        + " I_MPI_FABRICS=shm:dapl -env I_MPI_DAPL_PROVIDER=ofa-v2-ib0 -env I_MPI_DYNAMIC_CONNECTION=0"
                        + " hostname",
                "dapl | -hosts host1,host2 -ppn 1 -n 2 /opt/intel/impi_latest/bin64/IMB-MPI1 pingpong"
                        + " | /opt/intel/impi_latest/bin64/mpirun -hosts host1,host2 -ppn 1 -n 2 -env"
                        + " I_MPI_FABRICS=dapl -env I_MPI_DAPL_PROVIDER=ofa-v2-ib0 -env I_MPI_DYNAMIC_CONNECTION=0"
                        + " /opt/intel/impi_latest/bin64/IMB-MPI1 pingpong",
                "'' | -n 128 -ppn 16 -hostfile hosts /path/app argument"
                        + " | /opt/intel/impi_latest/bin64/mpirun -n 128 -ppn 16 -hostfile hosts /path/app argument",
            })
    void printsTheLinesOfTheArticle(String fabrics, String options, String line, @TempDir Path folder)
            throws IOException, InterruptedException {
        files().writeTo(folder);
        List<String> command =
                new ArrayList<>(List.of(folder.resolve("mpirun.sh").toString(), "--print"));
        command.addAll(List.of(options.split(" ")));
        ProcessBuilder start = new ProcessBuilder(command).redirectErrorStream(true);
        if (!fabrics.isEmpty()) {
            start.environment().put("I_MPI_FABRICS", fabrics);
        }
        Process process = start.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(line + "\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void takesDaplAlone() throws IOException {
        assertThat(text(files("# env: {I_MPI", "env: {I_MPI"), "mpi.env"))
                .contains("\nexport I_MPI_FABRICS=dapl\n")
                .doesNotContain("shm:dapl");
    }

    @Test
    void listsTheAddressesInTheSshConfiguration() throws IOException {
        RenderedFiles files =
                files("hostKeys: accept-in-range", "hostKeys: accept-per-node", "acceptRange: [10.32.0.*]", "");

        assertThat(text(files, "ssh_config"))
                .startsWith("host 10.32.0.11\n StrictHostKeyChecking no\nhost 10.32.0.12\n StrictHostKeyChecking no\n");
    }

    @Test
    void raisesTheLimitOfOneUser() throws IOException {
        assertThat(text(files("who: \"@hpc\"", "who: hpcuser"), "limits.conf"))
                .contains("hpcuser hard    memlock unlimited\nhpcuser soft    memlock unlimited\n");
    }

    @Test
    void theSameClusterHasASizeOfToday() throws IOException {
        String spec = Files.readString(Machine.EXAMPLES.resolve("specs/linux-today.yaml"));
        RenderedFiles files = Planner.offline().render(SpecReader.read(spec, "today.yaml"));

        assertThat(text(files, "hostfile.hydra")).startsWith("10.32.0.11:120\n");
        assertThat(text(files, "mpi.env")).contains("hpc-x/ucx");
        assertThat(text(files, "ssh_config")).contains("StrictHostKeyChecking yes");
    }
}
