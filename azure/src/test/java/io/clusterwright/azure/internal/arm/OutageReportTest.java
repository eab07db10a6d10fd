package io.clusterwright.azure.internal.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageReportTest {
    private Duration passed = Duration.ZERO;

    @Test
    void isGivenOnceAMinuteAlsoWhileOtherCallsAreAnswered() {
        WaitTime.Source time = new WaitTime.Source() {
            @Override
            public long nanos() {
                return passed.toNanos();
            }

            @Override
            public void sleep(Duration time) {
                passed = passed.plus(time);
            }
        };
        List<String> lines = new ArrayList<>();
        ArmRetry.Outage outage = new ArmRetry.Outage(time);
        outage.onReport(lines::add);

        for (int call = 0; call < 12; call++) {
            outage.lasts("create address a", new ClusterwrightException("status 500"));
            outage.over();
            passed = passed.plusSeconds(10);
        }

        assertThat(lines)
                .hasSize(2)
                .allMatch(line -> line.startsWith("no answer from Resource Manager: create address a"));
    }
}
