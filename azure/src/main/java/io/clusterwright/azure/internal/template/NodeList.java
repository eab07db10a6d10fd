package io.clusterwright.azure.internal.template;

import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmTemplateDocument.Loop;
import io.clusterwright.core.internal.arm.ArmText;
import java.util.Optional;

/**
 * Nodes of a template that differ in name, address and port only: a parameter or variable lists them.
 *
 * @param list an expression that gives them; empty for a single one
 * @param element an expression that gives one of them, within a loop over the list
 * @param prefix distinguishes the names of loops
 */
record NodeList(String list, String element, String prefix) {
    /** Nodes that an expression lists. */
    static NodeList of(String list, String prefix) {
        return new NodeList(list, list + "[copyIndex()]", prefix);
    }

    /** The node that an expression gives. */
    static NodeList single(String element) {
        return new NodeList("", element, "");
    }

    ArmText name() {
        return ArmText.expression(element + ".name");
    }

    ArmText address() {
        return ArmText.expression(element + ".privateAddress");
    }

    /** The loop that deploys a resource once for each node; empty for a single node. */
    Optional<Loop> loop(ArmResource resource) {
        return list.isEmpty() ? Optional.empty() : Optional.of(Loop.over(list, prefix, resource));
    }
}
