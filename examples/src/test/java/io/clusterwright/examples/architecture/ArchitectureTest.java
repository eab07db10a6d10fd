package io.clusterwright.examples.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.clusterwright.examples.architecture.internal.Hidden;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArchitectureTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.clusterwright");

    private static final JavaClasses LIBRARY = ALL.that(not(in("examples")));
    private static final DescribedPredicate<JavaClass> INTERNAL =
            resideInAPackage("..internal..").as("an internal type");

    @ParameterizedTest(name = "{0} depends on [{1}] only")
    @CsvSource({
        "core,       ''",
        "linux,      core",
        "mpi,        core",
        "windows,    core mpi",
        "azure,      core mpi",
        "linux.junit, core linux",
        "emulator,   core",
        "azure.emulator, core emulator",
        "windows.classic, core mpi windows",
        "windows.emulator, core emulator mpi",
        "azure.emulator.junit, core linux azure azure.emulator",
        "examples,   core linux mpi windows azure azure.emulator windows.classic windows.emulator",
    })
    void dependenciesPointOneWay(String module, String allowed) {
        DescribedPredicate<JavaClass> reachable = in(module);
        for (String other : allowed.isEmpty() ? new String[0] : allowed.split(" ")) {
            reachable = reachable.or(in(other));
        }
        noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat(resideInAPackage("io.clusterwright..").and(not(reachable)))
                .check(ALL);
    }

    @Test
    void exportedPackagesFormNoCycle() {
        slices().matching("io.clusterwright.(**)").should().beFreeOfCycles().check(ALL.that(not(INTERNAL)));
    }

    /** Apart from the exported packages: an API type may build on its internals, which in turn use API types. */
    @Test
    void internalPackagesFormNoCycle() {
        slices().matching("io.clusterwright.(**)").should().beFreeOfCycles().check(ALL.that(INTERNAL));
    }

    @Test
    void recordsOfTheApiHaveAtMostFiveComponents() {
        classes()
                .that(SignatureTypes.AN_API_TYPE)
                .should(ApiShape.haveAtMostFiveComponents())
                .check(LIBRARY);
    }

    @Test
    void methodsOfTheApiTakeAtMostOneBoolean() {
        classes()
                .that(SignatureTypes.AN_API_TYPE)
                .should(ApiShape.takeAtMostOneBoolean())
                .check(LIBRARY);
    }

    @Test
    void kotlinCanCallTheApi() {
        classes()
                .that(SignatureTypes.AN_API_TYPE)
                .should(ApiShape.haveNoNameThatIsAKeywordOfKotlin())
                .check(LIBRARY);
    }

    /** Except the shutdown hooks of the JUnit extensions. */
    @Test
    void onlySharedInternalsMakeThreads() {
        noClasses()
                .that(not(resideInAPackage("io.clusterwright.core.internal.concurrent..")
                        .or(simpleName("TestCluster"))
                        .or(simpleName("TestAzure"))))
                .should()
                .callConstructorWhere(target(owner(assignableTo(Thread.class))))
                .orShould()
                .callConstructorWhere(target(owner(type(ThreadPoolExecutor.class))))
                .orShould()
                .callMethodWhere(target(owner(type(Executors.class))))
                .check(ALL);
    }

    @Test
    void onlySharedInternalsMakeObjectMappers() {
        noClasses()
                .that(not(resideInAPackage("io.clusterwright.core.internal.json..")))
                .should()
                .callConstructorWhere(target(owner(assignableTo(ObjectMapper.class))))
                .check(ALL);
    }

    @Test
    void noSignatureShowsAnInternalType() {
        classes()
                .that(SignatureTypes.AN_API_TYPE)
                .should(SignatureTypes.notShow(INTERNAL))
                .check(LIBRARY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"core", "linux", "mpi"})
    void signaturesShowOnlyTheJdkAndThisLibrary(String module) {
        classes()
                .that(in(module).and(SignatureTypes.AN_API_TYPE))
                .should(SignatureTypes.notShow(not(resideInAPackage("java..")
                                .or(resideInAPackage("io.clusterwright.."))
                                .or(resideInAPackage("")))
                        .as("a type from elsewhere")))
                .allowEmptyShould(true)
                .check(LIBRARY);
    }

    /** Except JavaPingPong, a program that an MPI launcher starts. */
    @Test
    void librariesWriteToNoStandardStream() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(
                LIBRARY.that(DescribedPredicate.not(simpleName("JavaPingPong"))));
    }

    @Test
    void librariesLogThroughSlf4j() {
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(LIBRARY);
    }

    /** Two programs that start while the JVM is killed block each other and keep files of nodes open. */
    @Test
    void programsOfThisMachineAreStartedOneAtATime() {
        noClasses()
                .that(resideInAPackage("io.clusterwright.linux.internal.local..")
                        .and(not(simpleName("HostCommand"))))
                .should()
                .callMethod(ProcessBuilder.class, "start")
                .check(LIBRARY);
    }

    @Nested
    class LeakedInternalTypes {

        @Test
        void areReportedByMemberAndType() {
            var rule = classes().should(SignatureTypes.notShow(INTERNAL));
            var result = rule.evaluate(new ClassFileImporter().importClasses(Leaky.class));
            assertThat(result.getFailureReport().getDetails())
                    .hasSize(4)
                    .allMatch(line -> line.contains(Leaky.class.getName()) && line.contains(Hidden.class.getName()));
        }

        @SuppressWarnings("unused")
        public static final class Leaky {
            public Hidden field;
            Hidden packagePrivate;

            public Leaky(Hidden[] parameter) {}

            protected void parameter(Hidden one) {}

            public List<Hidden> returned() {
                return List.of();
            }
        }
    }

    private static DescribedPredicate<JavaClass> in(String module) {
        DescribedPredicate<JavaClass> inPackage = resideInAPackage("io.clusterwright." + module + "..");
        return switch (module) {
            case "linux" -> inPackage.and(not(in("linux.junit")));
            case "windows" -> inPackage.and(not(in("windows.emulator"))).and(not(in("windows.classic")));
            case "azure.emulator" -> inPackage.and(not(in("azure.emulator.junit")));
            case "azure" -> inPackage.and(not(resideInAPackage("io.clusterwright.azure.emulator..")));
            default -> inPackage;
        };
    }
}
