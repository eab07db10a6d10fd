package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Microsoft.MarketplaceOrdering: the terms of plans, which a subscription must accept before it makes a machine with one. */
public final class Agreements {
    public static final String NAMESPACE = "Microsoft.MarketplaceOrdering";

    private static final String SIGNATURE = "U2lnbmVkIGJ5IHRoZSBlbXVsYXRvcg==";

    private final Cloud cloud;
    private final Set<String> accepted = new HashSet<>();

    Agreements(Cloud cloud) {
        this.cloud = cloud;
    }

    void requireAccepted(String plan) {
        if (isAccepted(plan)) {
            return;
        }
        String[] parts = plan.split(":");
        ObjectNode why = Json.object()
                .put("code", "BadRequest")
                .put(
                        "message",
                        ArmException.of(
                                        "BadRequest.terms",
                                        parts[0],
                                        parts[1],
                                        cloud.settings().subscription(),
                                        parts[2])
                                .text());
        throw ArmException.of("MarketplacePurchaseEligibilityFailed").because(List.of(why));
    }

    private boolean isAccepted(String plan) {
        return cloud.settings().acceptedTerms() || accepted.contains(plan.toLowerCase(Locale.ROOT));
    }

    /** @param words the words of the path after the namespace */
    public Reply answer(Call call, List<String> words) {
        Versions.require(cloud.settings(), NAMESPACE + "/" + words.get(0), "", call.query("api-version"));
        boolean offer = words.get(0).equalsIgnoreCase("offerTypes") && words.size() == 10;
        int at = offer ? 2 : 0;
        refuse(
                !offer && (!words.get(0).equalsIgnoreCase("agreements") || words.size() < 6),
                "NotFound.path",
                call.path());
        String publisher = words.get(offer ? at + 1 : 1);
        String product = words.get(offer ? at + 3 : 3);
        String name = words.get(offer ? at + 5 : 5);
        refuse(!ImageCatalog.hasPlan(publisher, product, name), "BadRequest.offer", publisher, product);
        String plan = publisher + ":" + product + ":" + name;
        switch (call.method()) {
            case "GET":
                break;
            case "PUT":
                JsonNode properties = call.object().path("properties");
                refuse(
                        properties.path("accepted").asBoolean()
                                && !Bodies.text(properties, "signature").equals(SIGNATURE),
                        "BadRequest.signature");
                accept(plan, properties.path("accepted").asBoolean());
                break;
            case "POST":
                accept(plan, words.get(words.size() - 1).equalsIgnoreCase("sign"));
                break;
            default:
                throw ArmException.of("MethodNotAllowed", call.method(), call.path());
        }
        return Reply.ok(view(call, plan));
    }

    private void accept(String plan, boolean yes) {
        if (yes) {
            accepted.add(plan.toLowerCase(Locale.ROOT));
        } else {
            accepted.remove(plan.toLowerCase(Locale.ROOT));
        }
    }

    private ObjectNode view(Call call, String plan) {
        String[] parts = plan.split(":");
        ObjectNode body =
                Json.object().put("id", call.path()).put("name", parts[2]).put("type", NAMESPACE + "/offertypes");
        Bodies.properties(body)
                .put("publisher", parts[0])
                .put("product", parts[1])
                .put("plan", parts[2])
                .put("retrieveDatetime", cloud.clock().now().toString())
                .put("signature", SIGNATURE)
                .put("accepted", isAccepted(plan));
        return body;
    }
}
