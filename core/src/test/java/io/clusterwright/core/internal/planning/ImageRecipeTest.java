package io.clusterwright.core.internal.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageRecipeTest {
    private static final String RECIPE = """
            name: demo
            region: westus
            login: {user: azureuser}
            nodes: {count: 2, prefix: demo, size: Standard_A9}
            network: {addressSpace: 10.32.0.0/16}
            scheduler: none
            image:
              base: auto
              deprovision: keep-user
              customize:
                user: {name: hpcuser, groups: [hpc]}
                packages: [nfs-common]
                ssh: {trust: cluster-key}
                mpi: {flavour: mpich}
                files: [{from: one, to: /etc/one, mode: "0644"}]
                scripts: [{name: app, path: one, sudo: true, timeout: 2m}]
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("one"), "#!/bin/sh\n");
        Files.writeString(folder.resolve("same"), "#!/bin/sh\n");
        Files.writeString(folder.resolve("changed"), "#!/bin/sh\ntrue\n");
    }

    private String image(String text) {
        ClusterSpec spec =
                SpecReader.read(text, "test").toBuilder().baseFolder(folder).build();
        return ImageRecipe.of(spec, "base").image();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: demo | name: other",
                "count: 2 | count: 9",
                "prefix: demo | prefix: node",
                "10.32.0.0/16 | 192.168.0.0/24",
                "region: westus | region: eastus",
                "Standard_A9 | Standard_D4s_v5",
                "azureuser | 'azureuser, publicKeys: [ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBu5yPPmCYx2JYL2gZmKIVvQ9uBiTZaVmDBrj7d0pXQ5 me]'",
                "trust: cluster-key | trust: none",
                "trust: cluster-key | 'trust: cluster-key, hostKeys: accept-in-range, acceptRange: [10.99.*]'",
                "from: one | from: same",
                "path: one | path: same",
                "timeout: 2m | timeout: 9m",
            })
    void clustersThatDifferInTheseShareAnImage(String from, String to) {
        assertThat(RECIPE).contains(from);
        assertThat(image(RECIPE.replace(from, to))).isEqualTo(image(RECIPE)).matches("image-[0-9a-f]{16}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "azureuser | other",
                "scheduler: none | scheduler: slurm",
                "keep-user | remove-user",
                "name: hpcuser | name: other",
                "nfs-common | nfs-kernel-server",
                "mpich | open-mpi",
                "from: one | from: changed",
                "path: one | path: changed",
                "/etc/one | /etc/two",
                "0644 | 0600",
                "sudo: true | sudo: false",
            })
    void clustersThatDifferInTheseDoNot(String from, String to) {
        assertThat(RECIPE).contains(from);
        assertThat(image(RECIPE.replace(from, to))).isNotEqualTo(image(RECIPE));
    }
}
