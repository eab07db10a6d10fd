package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.BrokenConnection;
import io.clusterwright.core.type.NodeName;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class LostNodeRuleTest {
    private static final NodeName NODE = NodeName.of("demo2");

    private boolean launchNodeAnswers = true;
    private final LostNodeRule loss = new LostNodeRule(() -> launchNodeAnswers);

    @Test
    void aNodeThatClosedItsConnectionIsLostAtOnce() {
        assertThat(loss.isLost(closed())).isTrue();
    }

    @Test
    void noNodeIsLostWhileTheLaunchNodeDoesNotAnswer() {
        launchNodeAnswers = false;

        assertThat(loss.isLost(closed())).isFalse();
        assertThat(loss.isLost(silent())).isFalse();
        assertThat(loss.isLost(silent().afterFailure(now()))).isFalse();
    }

    @Test
    void aSilentNodeIsNotLostWhenTheLinkComesBackAtThatMoment() {
        BrokenConnection silent = silent();
        long before = now();

        assertThat(loss.isLost(silent)).isFalse();
        assertThat(loss.isLost(silent)).isFalse();
        assertThat(loss.isLost(silent.afterFailure(before))).isFalse();
    }

    @Test
    void aSilentNodeIsLostWhenALaterAttemptFails() {
        BrokenConnection silent = silent();

        assertThat(loss.isLost(silent)).isFalse();
        assertThat(loss.isLost(silent.afterFailure(now()))).isTrue();
    }

    @Test
    void anAnswerBeforeTheBreakProvesNothing() {
        loss.isLost(silent());
        BrokenConnection later = silent();

        assertThat(loss.isLost(later.afterFailure(now()))).isFalse();
        assertThat(loss.isLost(later.afterFailure(now()))).isTrue();
    }

    @Test
    void aLinkThatBreaksDuringTheAttemptLosesNoNode() {
        BrokenConnection silent = silent();
        loss.isLost(silent);
        launchNodeAnswers = false;
        BrokenConnection failed = silent.afterFailure(now());

        assertThat(loss.isLost(failed)).isFalse();
        launchNodeAnswers = true;
        assertThat(loss.isLost(failed)).isFalse();
        assertThat(loss.isLost(failed)).isFalse();
        assertThat(loss.isLost(silent.afterFailure(now()))).isTrue();
    }

    private static BrokenConnection closed() {
        return BrokenConnection.now(new NodeUnreachableException(NODE, "closed"));
    }

    private static BrokenConnection silent() {
        return BrokenConnection.now(new NodeUnreachableException(NODE, "silent", new SocketTimeoutException()));
    }

    private static long now() {
        return WaitTime.RUNNING.nanos();
    }
}
