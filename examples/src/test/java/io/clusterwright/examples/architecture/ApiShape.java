package io.clusterwright.examples.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/** Conditions on the shape of API types, which keep calls readable and types open to change. */
final class ApiShape {
    private static final int MOST_COMPONENTS = 5;

    /** The hard keywords that Java does not have. */
    private static final Set<String> KEYWORDS_OF_KOTLIN =
            Set.of("as", "fun", "in", "is", "object", "typealias", "typeof", "val", "var", "when");

    private ApiShape() {}

    /** A record with more components cannot gain one without breaking its callers: use a class with a builder. */
    static ArchCondition<JavaClass> haveAtMostFiveComponents() {
        return new ArchCondition<>("have at most " + MOST_COMPONENTS + " components") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                long components = !type.isRecord()
                        ? 0
                        : type.getFields().stream()
                                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                                .count();
                if (components > MOST_COMPONENTS) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getFullName() + " has " + components + " components"));
                }
            }
        };
    }

    /** A call such as {@code options(true, false)} says nothing: use a builder or an enum. The constructor of a record has one parameter for each component. */
    static ArchCondition<JavaClass> takeAtMostOneBoolean() {
        return new ArchCondition<>("take at most one boolean in a method or constructor") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnits().stream()
                        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(unit -> !(type.isRecord() && unit.isConstructor()))
                        .filter(unit -> booleans(unit) > 1)
                        .forEach(unit -> events.add(SimpleConditionEvent.violated(
                                type, unit.getFullName() + " takes " + booleans(unit) + " booleans")));
            }
        };
    }

    /** Kotlin calls such a method or package only between backticks. */
    static ArchCondition<JavaClass> haveNoNameThatIsAKeywordOfKotlin() {
        return new ArchCondition<>("have no name that is a keyword of Kotlin") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Stream<String> members = type.getMembers().stream()
                        .filter(member -> !member.getModifiers().contains(JavaModifier.PRIVATE))
                        .map(JavaMember::getName);
                Stream.concat(members, Stream.of(type.getPackageName().split("[.]")))
                        .filter(KEYWORDS_OF_KOTLIN::contains)
                        .forEach(name -> events.add(SimpleConditionEvent.violated(
                                type, type.getFullName() + " has the name " + name + ", a keyword of Kotlin")));
            }
        };
    }

    private static long booleans(JavaCodeUnit unit) {
        return unit.getRawParameterTypes().stream()
                .filter(parameter -> parameter.isEquivalentTo(boolean.class))
                .count();
    }
}
