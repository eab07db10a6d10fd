package io.clusterwright.linux.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes inside of a test. */
final class TestRun {
    private TestRun() {}

    /** The errors of the classes and their tests, which run as one test plan. */
    static List<Throwable> of(Class<?>... tests) {
        List<Throwable> errors = new ArrayList<>();
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(config)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(Stream.of(tests)
                                        .map(DiscoverySelectors::selectClass)
                                        .toList())
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                result.getThrowable().ifPresent(errors::add);
                            }
                        });
        return errors;
    }
}
