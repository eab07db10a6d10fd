package io.clusterwright.azure.internal.scaleset;

import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetVMInner;
import com.azure.resourcemanager.compute.models.InstanceViewStatus;
import com.azure.resourcemanager.compute.models.StatusLevelTypes;
import com.azure.resourcemanager.compute.models.VirtualMachineExtensionInstanceView;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reasons for failed instances of a scale set: the operation of the whole set reports the first failure only. */
public final class InstanceFailures {
    private static final String FAILED = "provisioningstate/failed";

    private InstanceFailures() {}

    /**
     * Why this instance is no node; nothing when it is one.
     *
     * @param whole how the operation of the set failed, which is the reason where the instance reports none
     */
    static Optional<AzureException> of(
            NodeName node, VirtualMachineScaleSetVMInner instance, @Nullable AzureException whole) {
        String what = "create " + node;
        for (InstanceViewStatus status : statuses(instance)) {
            String code = status.code() == null ? "" : status.code();
            if (code.toLowerCase(Locale.ROOT).startsWith(FAILED) || status.level() == StatusLevelTypes.ERROR) {
                String reason = code.length() > FAILED.length() ? code.substring(FAILED.length() + 1) : "";
                return Optional.of(Errors.coded(reason, what, text(status)));
            }
        }
        if ("Succeeded".equalsIgnoreCase(instance.provisioningState())) {
            return Optional.empty();
        }
        return Optional.of(
                whole != null
                        ? whole
                        : Errors.of(Reason.PROVISIONING, what, "its instance is " + instance.provisioningState()));
    }

    /** Whether what failed for this reason may pass at the next try, on other hardware. */
    static boolean mayPass(Reason reason) {
        return switch (reason) {
            case PROVISIONING, EXTENSION, OTHER, TIMEOUT -> true;
            default -> false;
        };
    }

    private static List<InstanceViewStatus> statuses(VirtualMachineScaleSetVMInner instance) {
        List<InstanceViewStatus> all = new ArrayList<>();
        var view = instance.instanceView();
        if (view != null && view.extensions() != null) {
            for (VirtualMachineExtensionInstanceView extension : view.extensions()) {
                all.addAll(extension.statuses() == null ? List.of() : extension.statuses());
            }
        }
        if (view != null && view.statuses() != null) {
            all.addAll(view.statuses());
        }
        return all;
    }

    private static String text(InstanceViewStatus status) {
        return status.message() != null ? status.message() : String.valueOf(status.displayStatus());
    }
}
