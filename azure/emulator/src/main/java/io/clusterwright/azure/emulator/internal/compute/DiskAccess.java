package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.requireRange;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.util.List;

/** The addresses by which the bytes of disks and snapshots are read for a time; nothing answers there. */
final class DiskAccess {
    private static final String STATE_BEFORE = "stateBeforeAccess";
    private static final long LONGEST = Duration.ofDays(60).toSeconds();

    private final Cloud cloud;

    DiskAccess(Cloud cloud) {
        this.cloud = cloud;
    }

    ResourceType addTo(ResourceType type) {
        return type.action("beginGetAccess", this::begin).action("endGetAccess", this::end);
    }

    private static boolean isGranted(Resource disk) {
        return disk.hidden(STATE_BEFORE).isPresent();
    }

    /** Refuses to use or delete a disk whose bytes someone may read. */
    static void requireNone(Resource disk) {
        refuse(isGranted(disk), "OperationNotAllowed.access", disk.name());
    }

    private Reply begin(Call call, Resource disk) {
        ObjectNode body = call.objectOrEmpty();
        String access = Bodies.text(body, "access");
        refuseMissing(access.isEmpty(), "grantAccessData.access");
        if (!List.of("Read", "Write", "None").contains(access)) {
            throw ArmException.of("InvalidParameter.value", "access").at("grantAccessData.access");
        }
        long seconds = body.path("durationInSeconds").asLong(-1);
        refuseMissing(!body.has("durationInSeconds"), "grantAccessData.durationInSeconds");
        requireRange(seconds, "durationInSeconds", 0, LONGEST);
        String owner = disk.text("managedBy");
        boolean runs = cloud.store()
                .find(owner, ResourceType.MACHINES)
                .filter(machine -> !MachineViews.isDeallocated(machine))
                .isPresent();
        refuse(runs, "OperationNotAllowed.accessOfRunning", disk.name(), owner);
        return cloud.accept(call, disk, Work.DISK, ResourceType.NO_MACHINES, failure -> {
            if (!isGranted(disk)) {
                disk.hide(STATE_BEFORE, disk.text("properties.diskState"));
            }
            disk.properties().put("diskState", "ActiveSAS");
            return Json.object()
                    .put(
                            "accessSAS",
                            "https://md-emulated.invalid/" + disk.text("properties.uniqueId")
                                    + "/abcd?sv=2018-03-28&sr=b&sp=r&se="
                                    + cloud.clock().now().plusSeconds(seconds) + "&sig=emulated");
        });
    }

    private Reply end(Call call, Resource disk) {
        return cloud.accept(call, disk, Work.DISK, ResourceType.NO_MACHINES, failure -> {
            disk.hidden(STATE_BEFORE).ifPresent(before -> disk.properties().put("diskState", before));
            disk.reveal(STATE_BEFORE);
            return null;
        });
    }
}
