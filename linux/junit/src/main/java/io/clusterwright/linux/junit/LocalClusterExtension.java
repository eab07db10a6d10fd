package io.clusterwright.linux.junit;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.linux.junit.LocalCluster.Lifecycle;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.linux.local.Requirement;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** Creates the clusters of {@link LocalCluster} and hands them out. JUnit's stores destroy the clusters of parameters and of test plans. */
final class LocalClusterExtension
        implements ExecutionCondition,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(LocalClusterExtension.class);
    private static final List<Class<? extends Annotation>> LIFECYCLE_METHODS =
            List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class);

    /** The place of a parameter, which is the key of its cluster. */
    private record Place(Executable method, int index) {}

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getElement().stream()
                        .flatMap(LocalClusterExtension::annotations)
                        .anyMatch(wanted -> wanted.otherwise() == LocalCluster.Otherwise.SKIP)
                ? condition()
                : ConditionEvaluationResult.enabled("no condition");
    }

    /** The annotations of a class, its constructors and its life-cycle methods, or of a test. */
    private static Stream<LocalCluster> annotations(AnnotatedElement element) {
        if (element instanceof Class<?> test) {
            Stream<Executable> methods = LIFECYCLE_METHODS.stream()
                    .flatMap(each ->
                            AnnotationSupport.findAnnotatedMethods(test, each, HierarchyTraversalMode.TOP_DOWN)
                                    .stream());
            return Stream.concat(
                    annotation(test).stream(),
                    Stream.concat(Arrays.stream(test.getDeclaredConstructors()), methods)
                            .flatMap(LocalClusterExtension::annotations));
        }
        return element instanceof Executable method
                ? Arrays.stream(method.getParameters()).flatMap(each -> annotation(each).stream())
                : Stream.empty();
    }

    private static Optional<LocalCluster> annotation(AnnotatedElement element) {
        return AnnotationSupport.findAnnotation(element, LocalCluster.class);
    }

    private static ConditionEvaluationResult condition() {
        List<Requirement> missing = LocalMachines.requirements().stream()
                .filter(Predicate.not(Requirement::met))
                .toList();
        return missing.isEmpty()
                ? ConditionEvaluationResult.enabled("this machine can host nodes")
                : ConditionEvaluationResult.disabled(missing.stream()
                        .map(each -> each.code() + " " + each.detail() + ": " + each.remedy())
                        .collect(
                                Collectors.joining("; ", "this machine cannot host the nodes of @LocalCluster: ", "")));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        annotatedClass(context)
                .filter(owner -> lifecycle(owner) != Lifecycle.PER_METHOD)
                .ifPresent(owner -> clusterOfClass(owner, context));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        annotatedClass(context)
                .filter(owner -> lifecycle(owner) == Lifecycle.PER_METHOD)
                .ifPresent(owner -> clusterOfClass(owner, context));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        destroy(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        destroy(context);
    }

    /** Destroys the cluster of a class or a test here, because JUnit hides the message of an exception in its clean-up. */
    private static void destroy(ExtensionContext context) {
        annotatedClass(context)
                .map(owner -> context.getStore(NAMESPACE).remove(owner, TestCluster.class))
                .ifPresent(TestCluster::close);
    }

    /** The class of this context, or else its nearest outer class, that has the annotation. */
    private static Optional<Class<?>> annotatedClass(ExtensionContext context) {
        return contexts(context)
                .flatMap(each -> each.getTestClass().stream())
                .filter(each -> annotation(each).isPresent())
                .findFirst();
    }

    /** The context and its parents. */
    private static Stream<ExtensionContext> contexts(ExtensionContext context) {
        return Stream.iterate(
                        Optional.of(context), Optional::isPresent, each -> each.flatMap(ExtensionContext::getParent))
                .flatMap(Optional::stream);
    }

    private static Lifecycle lifecycle(Class<?> owner) {
        return annotation(owner).orElseThrow().lifecycle();
    }

    private static TestCluster clusterOfClass(Class<?> owner, ExtensionContext context) {
        return switch (lifecycle(owner)) {
            case PER_CLASS ->
                cluster(
                        contexts(context)
                                .filter(each ->
                                        each.getElement().filter(owner::equals).isPresent())
                                .findFirst()
                                .orElseThrow(),
                        owner,
                        annotation(owner).orElseThrow(),
                        owner);
            case PER_METHOD -> {
                if (context.getTestMethod().isEmpty()) {
                    throw new ExtensionConfigurationException(owner.getName()
                            + ": a cluster of @LocalCluster(lifecycle = PER_METHOD) belongs to one test; move the"
                            + " parameter from the constructor or the @BeforeAll method to the test or to a @BeforeEach"
                            + " method");
                }
                yield cluster(context, owner, annotation(owner).orElseThrow(), owner);
            }
            case SHARED -> shared(context, annotation(owner).orElseThrow(), owner);
        };
    }

    private static TestCluster shared(ExtensionContext context, LocalCluster wanted, Class<?> test) {
        return cluster(context.getRoot(), TestCluster.sharingKey(wanted, test), wanted, test);
    }

    /** The cluster in the store of the context, which destroys the cluster at its end. */
    @SuppressWarnings("deprecation") // JUnit 5 has no other method
    private static TestCluster cluster(ExtensionContext context, Object key, LocalCluster wanted, Class<?> test) {
        return Objects.requireNonNull(context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(key, each -> TestCluster.create(wanted, test), TestCluster.class));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Cluster.class || type == ClusterManager.class || parameter.isAnnotated(LocalCluster.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Optional<LocalCluster> own = parameter.findAnnotation(LocalCluster.class);
        if (own.isPresent()) {
            return clusterOfParameter(own.get(), parameter, context).cluster();
        }
        Class<?> owner = annotatedClass(context)
                .orElseThrow(() -> new ExtensionConfigurationException(
                        context.getRequiredTestClass().getName() + " has no @LocalCluster for the parameter "
                                + parameter.getParameter() + "; put @LocalCluster on the class"
                                + (type == Cluster.class ? " or at this parameter" : "")));
        if (type == ClusterManager.class && lifecycle(owner) == Lifecycle.SHARED) {
            throw new ExtensionConfigurationException(owner.getName()
                    + ": @LocalCluster(lifecycle = SHARED) gives no ClusterManager, because other classes use the"
                    + " cluster; write lifecycle = PER_CLASS to stop, start, resize or destroy the cluster");
        }
        // JUnit makes the one object of a class with Lifecycle.PER_CLASS before it calls beforeAll.
        TestCluster cluster = clusterOfClass(owner, context);
        return type == Cluster.class ? cluster.cluster() : cluster.manager();
    }

    private static TestCluster clusterOfParameter(
            LocalCluster wanted, ParameterContext parameter, ExtensionContext context) {
        Executable method = parameter.getDeclaringExecutable();
        Class<?> test = method.getDeclaringClass();
        if (parameter.getParameter().getType() != Cluster.class || wanted.lifecycle() == Lifecycle.PER_METHOD) {
            throw new ExtensionConfigurationException(test.getName() + ": @LocalCluster at the parameter "
                    + parameter.getParameter() + " of " + method.getName()
                    + (wanted.lifecycle() == Lifecycle.PER_METHOD
                            ? ": remove lifecycle = PER_METHOD; the cluster belongs to the test that has the parameter"
                            : ": use a parameter of type Cluster (example: @LocalCluster(nodes = 2) Cluster other)"));
        }
        return wanted.lifecycle() == Lifecycle.SHARED
                ? shared(context, wanted, test)
                : cluster(context, new Place(method, parameter.getIndex()), wanted, test);
    }
}
