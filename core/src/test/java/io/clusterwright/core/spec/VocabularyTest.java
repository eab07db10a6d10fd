package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.NetworkSpec.SubnetSpec;
import io.clusterwright.core.spec.NodeGroup.SpotSpec;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Text, builders and accessors share one vocabulary. */
class VocabularyTest {
    @ParameterizedTest
    @MethodSource("records")
    void textRecordsAndBuildersUseTheSameNames(Class<?> record, Class<?> builder, Table<?> table) {
        assertThat(names(record)).containsAll(table.rows.keySet());
        assertThat(names(builder)).containsAll(table.rows.keySet());
    }

    private static Stream<Arguments> records() {
        return Stream.of(
                Arguments.of(ClusterSpec.class, ClusterSpec.Builder.class, ClusterSpec.FIELDS),
                Arguments.of(NodeGroup.class, NodeGroup.Builder.class, NodeGroup.FIELDS),
                Arguments.of(SpotSpec.class, SpotSpec.Builder.class, SpotSpec.FIELDS),
                Arguments.of(HeadNode.class, HeadNode.Builder.class, HeadNode.FIELDS),
                Arguments.of(NetworkSpec.class, NetworkSpec.Builder.class, NetworkSpec.FIELDS),
                Arguments.of(SubnetSpec.class, SubnetSpec.Builder.class, SubnetSpec.FIELDS),
                Arguments.of(SshAccess.class, SshAccess.Builder.class, SshAccess.FIELDS),
                Arguments.of(ImageSpec.class, ImageSpec.Builder.class, ImageSpec.FIELDS),
                Arguments.of(MpiInstall.class, MpiInstall.Builder.class, MpiInstall.FIELDS),
                Arguments.of(MpiSettings.class, MpiSettings.Builder.class, MpiSettings.FIELDS),
                Arguments.of(Verification.class, Verification.Builder.class, Verification.FIELDS),
                Arguments.of(HpcPackSpec.class, HpcPackSpec.Builder.class, HpcPackSpec.FIELDS));
    }

    private static Stream<String> names(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).map(Method::getName);
    }
}
