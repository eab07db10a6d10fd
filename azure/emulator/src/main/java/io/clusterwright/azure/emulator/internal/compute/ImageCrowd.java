package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import java.util.stream.Stream;

/** Machines that are made from one stored image at the same time; beyond 20 for each of its replicas they do not boot in time. */
final class ImageCrowd {
    private static final String IMAGE = "properties.storageProfile.imageReference.id";

    private final Cloud cloud;
    private final StorageProfiles storage;

    ImageCrowd(Cloud cloud) {
        this.cloud = cloud;
        this.storage = new StorageProfiles(cloud);
    }

    /** Whether a new machine, or instance, comes after as many as its image can serve. */
    boolean isFull(ArmId machine, ObjectNode body, String region) {
        String image = Bodies.text(body, IMAGE);
        return storage.most(image, region)
                .filter(most -> Stream.of(ResourceType.MACHINES, ResourceType.INSTANCES)
                                .flatMap(cloud.store()::ofType)
                                .filter(each -> each.state().equals("Creating"))
                                .filter(each -> !each.id().key().equals(machine.key()))
                                .filter(each -> each.text(IMAGE).equalsIgnoreCase(image))
                                .count()
                        >= most)
                .isPresent();
    }

    static ArmException timeOut(String name) {
        return ArmException.of(Fault.Kind.OS_PROVISIONING_TIMED_OUT.code(), name);
    }
}
