package io.clusterwright.linux.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Annotations that cannot be used, and the messages that name the class and the annotation. */
@Tag("breadth")
class MessagesTest {

    @ParameterizedTest
    @ValueSource(classes = {NoNodes.class, ManyNodes.class})
    void namesTheClassOfAWrongNumberOfNodes(Class<?> tests) {
        assertThat(TestRun.of(tests))
                .singleElement()
                .asString()
                .containsPattern("MessagesTest.(NoNodes|ManyNodes): invalid number of nodes in @LocalCluster"
                        + "[(]nodes = (0|201)[)]: use 1 to 200 [(]example: @LocalCluster[(]nodes = 2[)][)]");
    }

    @Test
    void saysWhereASpecWasSearched() {
        assertThat(TestRun.of(NoSpec.class))
                .singleElement()
                .asString()
                .contains(
                        NoSpec.class.getName() + ": @LocalCluster(spec = \"no.yaml\"): there is no such resource in the"
                                + " package io.clusterwright.linux.junit of the class path, and no such file "
                                + Path.of("no.yaml").toAbsolutePath()
                                + "; put the spec into src/test/resources/io/clusterwright/linux/junit");
    }

    @Test
    void namesTheClassWithTwoSpecs() {
        assertThat(TestRun.of(TwoSpecs.class))
                .singleElement()
                .asString()
                .contains(TwoSpecs.class.getName() + ": @LocalCluster takes one value for spec and has 2");
    }

    @Test
    void hasAClusterForTheConstructorOfAClassWithOneObject() {
        assertThat(TestRun.of(OneObject.class)).isEmpty();
    }

    @LocalCluster(nodes = 0)
    static class NoNodes {
        @Test
        void test() {}
    }

    @LocalCluster(nodes = 201)
    static class ManyNodes {
        @Test
        void test() {}
    }

    @LocalCluster(spec = "no.yaml")
    static class NoSpec {
        @Test
        void test() {}
    }

    @LocalCluster(spec = {"cluster.yaml", "no.yaml"})
    static class TwoSpecs {
        @Test
        void test() {}
    }

    @LocalCluster(nodes = 1)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneObject {
        private final Cluster cluster;

        OneObject(Cluster cluster) {
            this.cluster = cluster;
        }

        @Test
        void hasTheCluster(Cluster parameter) {
            assertThat(parameter).isSameAs(cluster);
        }
    }
}
