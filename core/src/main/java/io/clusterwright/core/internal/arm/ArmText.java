package io.clusterwright.core.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A text in a resource: plain, or an expression of a template.
 *
 * @param text the plain text, or the expression without brackets
 * @param isExpression whether Resource Manager evaluates it
 */
public record ArmText(String text, boolean isExpression) {
    /** A plain text. */
    public static ArmText plain(String text) {
        return new ArmText(text, false);
    }

    /** An expression, without brackets, such as {@code parameters('vmSize')}. */
    public static ArmText expression(String expression) {
        return new ArmText(expression, true);
    }

    /** The value of a template's parameter. */
    public static ArmText parameter(String name) {
        return expression("parameters('" + name + "')");
    }

    /** These texts, one after the other. */
    public static ArmText join(ArmText... parts) {
        if (List.of(parts).stream().noneMatch(ArmText::isExpression)) {
            return plain(List.of(parts).stream().map(ArmText::text).collect(Collectors.joining()));
        }
        List<String> operands = new ArrayList<>();
        for (ArmText part : parts) {
            operands.add(part.operand());
        }
        return operands.size() == 1 ? parts[0] : expression("concat(" + String.join(", ", operands) + ")");
    }

    /** This text with a plain one after it. */
    public ArmText then(String suffix) {
        return join(this, plain(suffix));
    }

    /** The text as JSON; an expression stands in brackets. */
    public JsonNode json() {
        return TextNode.valueOf(toString());
    }

    /** The text within another expression; a plain one is quoted. */
    public String operand() {
        return isExpression ? text : "'" + text.replace("'", "''") + "'";
    }

    /** The text as it is written in JSON. */
    @Override
    public String toString() {
        return isExpression ? "[" + text + "]" : text;
    }
}
