package io.clusterwright.examples.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/** The types that a caller sees in a class: in its header, its visible fields, and its visible methods and constructors. */
final class SignatureTypes {

    /** A public class outside the internal packages. */
    static final DescribedPredicate<JavaClass> AN_API_TYPE = DescribedPredicate.describe(
            "are API types",
            type -> isVisible(type.getModifiers())
                    && !type.getPackageName().contains(".internal")
                    && type.getEnclosingClass()
                            .map(outer -> isVisible(outer.getModifiers()))
                            .orElse(true));

    private SignatureTypes() {}

    static ArchCondition<JavaClass> notShow(DescribedPredicate<? super JavaClass> unwanted) {
        return new ArchCondition<>("not show " + unwanted.getDescription()) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Stream<Shown> header = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                        .map(shown -> new Shown(type.getFullName(), shown));
                Stream<Shown> members = type.getMembers().stream()
                        .filter(member -> isVisible(member.getModifiers()))
                        .flatMap(member -> typesOf(member).map(shown -> new Shown(member.getFullName(), shown)));
                Stream.concat(header, members)
                        .flatMap(shown -> shown.type.getAllInvolvedRawTypes().stream()
                                .map(JavaClass::getBaseComponentType)
                                .filter(unwanted)
                                .map(raw -> shown.where + " shows " + raw.getFullName()))
                        .distinct()
                        .forEach(message -> events.add(SimpleConditionEvent.violated(type, message)));
            }
        };
    }

    private record Shown(String where, JavaType type) {}

    private static Stream<JavaType> typesOf(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit code = (JavaCodeUnit) member;
        return Stream.of(
                        Stream.of(code.getReturnType()),
                        code.getParameterTypes().stream(),
                        code.getThrowsClause().getTypes().stream())
                .flatMap(types -> types);
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }
}
