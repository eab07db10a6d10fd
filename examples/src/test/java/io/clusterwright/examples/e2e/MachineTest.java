package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two tests that run beside each other in one JVM emptied each other's state folder. */
@Tag("breadth")
class MachineTest {
    @Test
    void theStateFolderOfAJvmBelongsToOneTest() {
        Machine first = Machine.ofThisJvm();
        Machine second = Machine.ofThisJvm();
        first.open();
        try {
            assertThatThrownBy(second::open)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another test of this JVM uses " + first.state());
            second.close();
        } finally {
            first.close();
        }
        second.open();
        second.close();
    }
}
