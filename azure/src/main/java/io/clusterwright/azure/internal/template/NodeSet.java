package io.clusterwright.azure.internal.template;

import io.clusterwright.azure.internal.template.TemplateBodies.Body;
import java.util.Map;

/**
 * Nodes that differ in name, address and port only.
 *
 * @param list an expression that gives them; empty for a single one
 * @param element an expression that gives one of them, within a loop over the list
 * @param prefix what tells the names of loops apart
 * @param standIns the texts of a sample's bodies that stand for an expression
 */
public record NodeSet(String list, String element, String prefix, Map<String, String> standIns) {
    /** For the resources that are no node's. */
    static final NodeSet NONE = new NodeSet("", "", "", Map.of());

    /** Nodes that an expression lists. */
    static NodeSet of(String list, String prefix, NodeSample sample) {
        String element = list + "[copyIndex()]";
        return new NodeSet(list, element, prefix, sample.standIns(element));
    }

    /** The node that an expression gives. */
    static NodeSet single(String element, NodeSample sample) {
        return new NodeSet("", element, "", sample.standIns(element));
    }

    /** A name for the loop that makes one resource for each. */
    String loop(Body body) {
        String kind = body.type().substring(body.type().lastIndexOf('/') + 1);
        String rest = body.name().contains("/")
                ? "-" + body.name().substring(body.name().indexOf('/') + 1)
                : "";
        return prefix + "-" + kind + rest;
    }
}
