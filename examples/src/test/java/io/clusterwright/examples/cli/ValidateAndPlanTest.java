package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.Planner;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValidateAndPlanTest {
    private static final String GOOD = "name: demo\nregion: westeurope\nnodes: {count: 2, size: Standard_HB120rs_v3}\n";

    @TempDir
    private Path folder;

    private String output = "";

    private Path spec(String text) throws IOException {
        return Files.writeString(folder.resolve("cluster.yaml"), text);
    }

    private int run(String... arguments) {
        return keep(InThisJvm.run(arguments));
    }

    private int keep(InThisJvm.Ran ran) {
        output = ran.stdout();
        return ran.status();
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(output);
    }

    @Nested
    class Validate {
        @Test
        void acceptsASpecWithWarnings() throws IOException {
            assertThat(run("validate", spec(GOOD).toString(), "--json")).isZero();
            assertThat(json().get("valid").asBoolean()).isTrue();
            JsonNode finding = json().get("findings").get(0);
            assertThat(finding.fieldNames())
                    .toIterable()
                    .containsExactly("code", "severity", "path", "message", "remedy", "line", "column");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "azure-hbv4",
                    "linux-article",
                    "linux-article-2017",
                    "linux-today",
                    "quickstart",
                    "windows-burst",
                    "windows-iaas",
                    "windows-resource-manager"
                })
        void acceptsTheSpecsOfTheExamples(String name) throws IOException {
            assertThat(run("validate", "specs/" + name + ".yaml", "--json")).isZero();
            assertThat(json().get("valid").asBoolean()).isTrue();
        }

        @Test
        void refusesAnErrorFinding() throws IOException {
            Path spec = spec(GOOD + "mpi: {preset: intel-mpi/network-direct}\n");
            assertThat(run("validate", spec.toString(), "--json")).isEqualTo(2);
            assertThat(json().get("valid").asBoolean()).isFalse();
            assertThat(json().findValuesAsText("code")).contains("CW-PRESET-002");
        }

        @Test
        void reportsReadingErrorsWithLineAndColumn() throws IOException {
            assertThat(run("validate", spec(GOOD + "regoin: x\n").toString(), "--json"))
                    .isEqualTo(2);
            JsonNode finding = json().get("findings").get(0);
            assertThat(finding.get("code").asText()).isEqualTo("CW-READ-002");
            assertThat(finding.get("severity").asText()).isEqualTo("ERROR");
            assertThat(finding.get("line").asInt()).isEqualTo(4);
            assertThat(finding.get("column").asInt()).isEqualTo(1);
            assertThat(finding.get("remedy").asText()).isEqualTo("did you mean region?");
        }

        @Test
        void appliesTheRulesOfAProvider() throws IOException {
            String text = "name: small\nnodes:\n  count: 2\nlogin: {user: admin}\n";
            assertThat(run("validate", spec(text).toString(), "--on", "local", "--json"))
                    .isZero();
            for (String cloud : List.of("azure", "emulator")) {
                assertThat(run("validate", spec(text).toString(), "--on", cloud, "--json"))
                        .isEqualTo(2);
                assertThat(json().findValuesAsText("code")).contains("CW-NAME-005", "CW-READ-003");
            }
        }

        @Test
        void findingsOfRulesHaveThePlaceOfTheirField() throws IOException {
            assertThat(run(
                            "validate",
                            spec(GOOD + "mpi: {preset: intel-mpi/network-direct}\n")
                                    .toString()))
                    .isEqualTo(2);
            assertThat(output).contains("CW-PRESET-002 ", "cluster.yaml:4:15: mpi.preset: ");
        }

        @Test
        void refusesAScriptThatIsNotThere() throws IOException {
            String script = "image: {customize: {scripts: [{name: install, path: none.sh}]}}\n";
            assertThat(run("validate", spec(GOOD + script).toString())).isEqualTo(2);
            assertThat(output).contains("cluster.yaml:4:53: image.customize.scripts[0].path: cannot read ", "none.sh");
        }

        @Test
        void looksForTheArchiveOfTheMpiWhereAProviderIsNamed() throws IOException {
            String archive =
                    GOOD + "image: {customize: {mpi: {flavour: intel-mpi, install: {archive: 'file:./mpi.tgz', sha256: "
                            + "0".repeat(64) + "}}}}\n";
            Path spec = spec(archive);
            assertThat(run("validate", spec.toString())).isZero();
            assertThat(run("validate", spec.toString(), "--on", "azure")).isEqualTo(2);
            assertThat(output)
                    .contains("image.customize.mpi.install.archive: cannot read " + spec.resolveSibling("mpi.tgz"));

            Files.writeString(spec.resolveSibling("mpi.tgz"), "");
            assertThat(run("validate", spec.toString(), "--on", "azure")).isEqualTo(2);
            assertThat(output)
                    .contains(
                            "image.customize.mpi.install.sha256: ",
                            " has the SHA-256 e3b0c44298fc1c149afbf4c8996fb924");
        }

        @Test
        void aRepeatedNameHidesNoOtherMistake() throws IOException {
            assertThat(run("validate", spec(GOOD + "name: again\nregoin: x\n").toString()))
                    .isEqualTo(2);
            assertThat(output).contains("CW-READ-004 ", "CW-READ-002 ");
        }

        @Test
        void printsFileLineAndRemedy() throws IOException {
            assertThat(run("validate", spec(GOOD + "regoin: x\n").toString())).isEqualTo(2);
            assertThat(output).contains("ERROR CW-READ-002 ", "cluster.yaml:4:1: regoin: ", "-> did you mean region?");
        }

        @Test
        void checksAConfigurationFileOfHpcPack() throws IOException {
            Path file = folder.resolve("HPCIaaSClusterConfig.xml");
            Files.writeString(file, """
                    <IaaSClusterConfig>
                      <Location>West US</Location>
                      <HeadNode><VMName>HN</VMName><ServiceName>a</ServiceName><VMSize>A2</VMSize></HeadNode>
                    </IaaSClusterConfig>
                    """);

            assertThat(run("validate", file.toString())).isEqualTo(2);
            assertThat(output)
                    .contains("ERROR CW-IAAS-002 " + file + ":1:1: Subscription: ")
                    .contains("WARNING CW-IAAS-008 " + file + ":3:");
            Files.writeString(file, "<IaaSClusterConfig>");
            assertThat(run("validate", file.toString())).isEqualTo(2);
            assertThat(output).contains("ERROR CW-READ-001 " + file + ":1:");
        }

        @Test
        void readsAConfigurationFileInUtf16AndRefusesWhatIsNoText() throws IOException {
            Path file = folder.resolve("HPCIaaSClusterConfig.xml");
            Files.write(file, "\uFEFF<IaaSClusterConfig/>".getBytes(StandardCharsets.UTF_16LE));
            assertThat(run("validate", file.toString())).isEqualTo(2);
            assertThat(output).contains("ERROR CW-IAAS-002 " + file + ":1:1: Subscription: ");

            Files.write(file, "<IaaSClusterConfig>\u00e9</IaaSClusterConfig>".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(run("validate", file.toString(), "--json")).isEqualTo(2);
            assertThat(json().at("/findings/0/code").asText()).isEqualTo("CW-READ-001");
            assertThat(json().at("/findings/0/message").asText())
                    .isEqualTo("the file cannot be read: it is not text in UTF-8");
            assertThat(json().at("/findings/0/remedy").asText()).startsWith("save the file in UTF-8");

            Path folderOfThisName = Files.createDirectory(folder.resolve("dd.xml"));
            assertThat(run("validate", folderOfThisName.toString())).isEqualTo(2);
            assertThat(output).contains("ERROR CW-READ-001 ", "it is a folder");
        }

        @Test
        void refusesAScriptThatLinuxCannotRun() throws IOException {
            Path spec = spec(GOOD + "image: {customize: {scripts: [{name: install, path: install.sh}]}}\n");
            Path script = Files.writeString(spec.resolveSibling("install.sh"), "echo hello\n");
            String refusal = "image.customize.scripts[0].path: script install (" + script + ") has no interpreter";
            assertThat(run("validate", spec.toString())).isEqualTo(2);
            assertThat(output)
                    .contains("cluster.yaml:4:53: " + refusal, "    -> start its first line with #!/bin/sh or #!");
            assertThat(run(
                            "render",
                            spec.toString(),
                            "--to",
                            folder.resolve("out").toString()))
                    .isEqualTo(2);
            assertThat(output).contains("cluster.yaml:4:53: " + refusal);
            assertThat(run("plan", spec.toString(), "--json")).isEqualTo(2);
            assertThat(json().at("/findings").findValuesAsText("path")).contains("image.customize.scripts[0].path");
        }

        @Test
        void refusesAFolderAsTheNameOfACopiedFile() throws IOException {
            Path spec = spec(GOOD + "image: {customize: {files: [{from: cluster.yaml, to: /etc/}]}}\n");
            assertThat(run("validate", spec.toString())).isEqualTo(2);
            assertThat(output)
                    .contains(
                            "cluster.yaml:4:54: image.customize.files[0].to: invalid path of a file on a node \"/etc/\"");
        }

        @Test
        void refusesMissingFile() {
            assertThat(run("validate", folder.resolve("none.yaml").toString(), "--json"))
                    .isEqualTo(2);
            assertThat(output).contains("CW-READ-001", "there is no such file");
        }
    }

    @Nested
    class StandardInput {
        @Test
        void isValidated() throws IOException {
            assertThat(runWith(GOOD, "validate", "-", "--json")).isZero();
            assertThat(json().get("valid").asBoolean()).isTrue();
        }

        @Test
        void isNamedInReadingErrors() throws IOException {
            assertThat(runWith(GOOD + "regoin: x\n", "validate", "-")).isEqualTo(2);
            assertThat(output).contains("CW-READ-002 <stdin>:4:1: regoin: ", "<stdin> is refused");
            assertThat(runWith(GOOD + "regoin: x\n", "plan", "-")).isEqualTo(2);
            assertThat(output).contains("CW-READ-002 <stdin>:4:1: regoin: ");
            assertThat(runWith("", "validate", "-", "--json")).isEqualTo(2);
            assertThat(json().at("/findings/0/code").asText()).isEqualTo("CW-READ-001");
        }

        @Test
        void isPlannedLikeAFile() throws IOException {
            assertThat(runWith(GOOD, "plan", "-", "--json")).isZero();
            String fromStandardInput = output;
            assertThat(run("plan", spec(GOOD).toString(), "--json")).isZero();
            assertThat(fromStandardInput).isEqualTo(output);
        }

        @Test
        void isRendered() throws IOException {
            assertThat(runWith(
                            GOOD, "render", "-", "--to", folder.resolve("out").toString()))
                    .isZero();
            assertThat(folder.resolve("out/hostfile.openmpi")).content().startsWith("demo1 ");
        }

        @Test
        void isRefusedAboveOneMebibyteOrWithBinaryData() throws IOException {
            assertThat(runWith("#".repeat(2 << 20), "validate", "-")).isEqualTo(2);
            assertThat(output).contains("CW-READ-001 <stdin>: ");
            assertThat(runWith("\0", "validate", "-")).isEqualTo(2);
        }

        private int runWith(String input, String... arguments) {
            return keep(InThisJvm.run(input, List.of(arguments)));
        }
    }

    @Nested
    class PlanCommandLine {
        @Test
        void printsTheJsonOfThePlan() throws IOException {
            Path file = spec(GOOD);
            run("plan", file.toString(), "--json");
            assertThat(output.strip())
                    .isEqualTo(Planner.offline().plan(SpecReader.read(file)).toJson());
        }

        @Test
        void printsStepsQuotaPriceAndChecksNotMade() throws IOException {
            run("plan", spec(GOOD).toString(), "--on", "local", "--json");
            assertThat(json().fieldNames())
                    .toIterable()
                    .containsExactly("valid", "findings", "steps", "quota", "price", "notChecked");
            assertThat(json().get("steps")).isNotEmpty();
        }

        @Test
        void appliesNoCloudRulesToLocalNodes() throws IOException {
            run("plan", spec(GOOD + "mpi: {preset: intel-mpi/network-direct}\n").toString(), "--on", "local", "--json");
            assertThat(json().findValuesAsText("code"))
                    .doesNotContain("CW-PRESET-002")
                    .contains("CW-LOCAL-007");
        }

        @Test
        void refusesAnArchiveThatIsNotThereAsCreateDoes() throws IOException {
            Path spec = spec(GOOD + "image: {customize: {mpi: {flavour: intel-mpi, install: {archive: mpi.tgz, sha256: "
                    + "0".repeat(64) + "}}}}\n");
            assertThat(run("plan", spec.toString(), "--json")).isEqualTo(2);
            assertThat(json().findValuesAsText("path")).contains("image.customize.mpi.install.archive");
        }

        @Test
        void givesTheLineOfEachFinding() throws IOException {
            Path script = spec(GOOD + "image: {customize: {scripts: [{name: install, path: none.sh}]}}\n");
            assertThat(run("plan", script.toString())).isEqualTo(2);
            assertThat(output).contains("cluster.yaml:4:53: image.customize.scripts[0].path: cannot read ");

            Path rule = spec(GOOD + "on: {azure: {tags: {a: b}}}\nmpi: {preset: intel-mpi/network-direct}\n");
            assertThat(run("plan", rule.toString())).isEqualTo(2);
            assertThat(output).contains("ERROR CW-PRESET-002 line 5:15: mpi.preset: ");
        }

        @Test
        void readsAQuotaFileThatPowerShellWrote() throws IOException {
            Path quota = folder.resolve("quota.csv");
            Files.write(
                    quota,
                    "\uFEFFfamily,used,limit\r\nstandardHBv3Family,7,1000\r\n".getBytes(StandardCharsets.UTF_16LE));
            assertThat(run("plan", spec(GOOD).toString(), "--quota", quota.toString(), "--json"))
                    .isZero();
            assertThat(json().at("/quota/0/used").asInt()).isEqualTo(7);
        }

        @Test
        void plansForTheCloudOffline() throws IOException {
            assertThat(run("plan", spec(GOOD).toString(), "--json")).isZero();
            assertThat(json().at("/steps/0/step").asText()).isEqualTo("resource-group");
            JsonNode line = json().get("quota").get(0);
            assertThat(line.fieldNames()).toIterable().containsExactly("family", "machines", "asked", "billedCores");
            assertThat(line.get("billedCores").asInt()).isEqualTo(240);
            assertThat(json().at("/price/status").asText()).isEqualTo("not checked");
            assertThat(json().get("notChecked")).anyMatch(one -> one.asText().startsWith("quota: "));
        }

        @Test
        void comparesThePriceFromATableWithTheCostCap() throws IOException {
            Path prices = Files.writeString(
                    folder.resolve("prices.yaml"), "{currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}");
            String capped = GOOD + "costCap: {currency: EUR, perHour: 7}\n";
            assertThat(run("plan", spec(capped).toString(), "--prices", prices.toString(), "--json"))
                    .isEqualTo(2);
            assertThat(output).contains("\"perHour\" : 7.20");
            assertThat(json().findValuesAsText("code")).contains("CW-COST-002");
        }

        @Test
        void comparesTheQuotaFromATableWithTheCores() throws IOException {
            Path quota =
                    Files.writeString(folder.resolve("quota.csv"), "family,used,limit\nstandardHBv3Family,1,240\n");
            String spec = spec(GOOD).toString();
            assertThat(run("plan", spec, "--quota", quota.toString(), "--severity", "error", "--json"))
                    .isEqualTo(2);
            assertThat(json().path("findings").findValuesAsText("code")).containsExactly("CW-QUOTA-001");
            assertThat(json().at("/quota/0/limit").asInt()).isEqualTo(240);
            assertThat(json().path("steps").findValuesAsText("kind")).contains("Standard_HB120rs_v3 machine");
        }

        @Test
        void aProblemInTheQuotaFileIsNotOneOfTheSpec() throws IOException {
            Path quota = Files.writeString(folder.resolve("quota.csv"), "family,now,limit\nx,1,240\n");
            assertThat(run("plan", spec(GOOD).toString(), "--quota", quota.toString(), "--json"))
                    .isEqualTo(2);
            assertThat(json().path("error").asText()).startsWith("--quota: ");
            assertThat(json().path("findings").isMissingNode()).isTrue();
        }

        @Test
        void reportsMissingScriptAsFinding() throws IOException {
            String text = GOOD + "image: {customize: {scripts: [{name: x, path: ./none.sh}]}}\n";
            assertThat(run("plan", spec(text).toString(), "--json")).isEqualTo(2);
            assertThat(json().get("findings").get(0).get("message").asText()).contains("none.sh");
        }

        @Test
        void refusesUnknownProvider() throws IOException {
            assertThat(run("plan", spec(GOOD).toString(), "--on", "moon")).isEqualTo(2);
            assertThat(output).isEmpty();
        }

        @Test
        void reportsReadingErrorsLikeValidate() throws IOException {
            assertThat(run("plan", spec("name: demo\n").toString(), "--json")).isEqualTo(2);
            assertThat(json().findValuesAsText("code")).contains("CW-READ-003");
        }
    }
}
