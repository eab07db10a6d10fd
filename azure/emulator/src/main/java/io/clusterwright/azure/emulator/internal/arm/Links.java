package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.http.Call;
import java.util.Locale;

/** Where a client asks how an operation is getting on. */
public final class Links {
    private Links() {}

    /** Both headers, as Compute and Network send them; only {@code Location} from the resource groups. */
    public static Reply add(
            Reply answer, Call call, Cloud cloud, String namespace, String location, Operation operation) {
        String subscription = call.base() + "/subscriptions/" + cloud.settings().subscription();
        String version = "api-version=" + call.query("api-version");
        Reply timed = cloud.operations().timed(answer);
        if (namespace.isEmpty() || namespace.equalsIgnoreCase("Microsoft.Resources")) {
            return timed.with("Location", subscription + "/operationresults/" + operation.id() + "?" + version);
        }
        String region = subscription + "/providers/" + namespace + "/locations/"
                + (location.isEmpty() ? "global" : location.toLowerCase(Locale.ROOT));
        boolean network = namespace.equalsIgnoreCase("Microsoft.Network");
        String status = region + "/operations/" + operation.id() + "?" + version;
        String result = region + (network ? "/operationResults/" : "/operations/") + operation.id() + "?"
                + (network ? "" : "monitor=true&") + version;
        Reply linked = timed.with("Azure-AsyncOperation", status).with("Azure-AsyncNotification", "Enabled");
        return answer.status() == 202 ? linked.with("Location", result) : linked;
    }
}
