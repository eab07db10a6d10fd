package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Microsoft.Insights/autoscaleSettings of scale sets: keep the number of instances within the limits of the profile of the time. */
final class AutoscaleSettings {
    private static final String TARGET = "properties.targetResourceUri";
    private static final String PROFILES = "properties.profiles";
    private static final int MOST_INSTANCES = 1000;
    private static final int MOST_RULES = 10;

    private final Cloud cloud;
    private final Instances instances;

    AutoscaleSettings(Cloud cloud, Instances instances) {
        this.cloud = cloud;
        this.instances = instances;
        cloud.operations()
                .whenSettled(() ->
                        cloud.store().ofType(ResourceType.AUTOSCALE_SETTINGS).forEach(this::keep));
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.AUTOSCALE_SETTINGS)
                .rows(
                        Row.standard("properties.enabled", false),
                        AutoscaleSettings::requireTarget,
                        AutoscaleSettings::requireProfiles)
                .finished((setting, failure) -> arm(setting));
    }

    private static void requireTarget(Draft setting) {
        String target = setting.text(TARGET);
        String before = setting.textBefore(TARGET);
        boolean another = setting.others().anyMatch(each -> each.is(TARGET, target));
        boolean there = setting.store().find(target, ResourceType.SCALE_SETS).isPresent();
        refuse(
                setting.changes(TARGET),
                "TargetResourceIdIsImmutable",
                setting.name(),
                setting.id().group(),
                before);
        refuse(!there, "TargetResourceNotFound", target);
        refuse(another, "TargetResourceHasSetting", target);
    }

    private static void requireProfiles(Draft setting) {
        List<ObjectNode> profiles = setting.objects(PROFILES);
        refuseBecause(profiles.isEmpty(), "profiles", "A setting needs a profile.");
        Set<String> names = new HashSet<>();
        for (ObjectNode profile : profiles) {
            String name = Bodies.text(profile, "name");
            refuseBecause(!names.add(name), "profiles", "Two profiles have the name '" + name + "'.");
            int least = number(profile, "minimum");
            int most = number(profile, "maximum");
            int usual = number(profile, "default");
            refuseBecause(
                    least > most || usual < least || usual > most,
                    "capacity",
                    "The default must be between minimum and maximum, and the minimum not above the maximum.");
            boolean many = profile.path("rules").size() > MOST_RULES;
            refuseBecause(many, "rules", "A profile has at most 10 rules.");
            refuseBecause(profile.has("recurrence"), "recurrence", "Recurring profiles are not emulated.");
            if (profile.has("fixedDate")) {
                requireWindow(profile);
            }
        }
    }

    private static void refuseBecause(boolean when, String property, String why) {
        refuse(when, "InvalidAutoscale", property, why);
    }

    private static void requireWindow(ObjectNode profile) {
        boolean elsewhere =
                Bodies.has(profile, "fixedDate.timeZone") && !Bodies.is(profile, "fixedDate.timeZone", "UTC");
        refuseBecause(elsewhere, "timeZone", "Only the time zone UTC is emulated.");
        try {
            boolean before = start(profile).isBefore(end(profile));
            refuseBecause(!before, "fixedDate", "The end must be after the start.");
        } catch (DateTimeParseException e) {
            throw ArmException.of("InvalidAutoscale", "fixedDate", "Start and end are times of ISO 8601.");
        }
    }

    private static int number(ObjectNode profile, String limit) {
        String text = Bodies.text(profile, "capacity." + limit);
        boolean fits = text.matches("\\d{1,4}") && Integer.parseInt(text) <= MOST_INSTANCES;
        refuseBecause(!fits, "capacity." + limit, "It is a number from 0 to 1000.");
        return Integer.parseInt(text);
    }

    private static Instant start(ObjectNode profile) {
        return OffsetDateTime.parse(Bodies.text(profile, "fixedDate.start")).toInstant();
    }

    private static Instant end(ObjectNode profile) {
        return OffsetDateTime.parse(Bodies.text(profile, "fixedDate.end")).toInstant();
    }

    /** Looks at the setting now, and when a profile begins or ends. */
    private void arm(Resource setting) {
        Instant now = cloud.clock().now();
        setting.objects(PROFILES).stream()
                .filter(profile -> profile.has("fixedDate"))
                .flatMap(profile -> List.of(start(profile), end(profile)).stream())
                .filter(now::isBefore)
                .forEach(time -> cloud.operations()
                        .start(Duration.between(now, time), null, ResourceType.NO_MACHINES, failure -> null));
        keep(setting);
    }

    /** Scales the set to the limits of the profile that holds now: a profile with a fixed date before a profile without. */
    private void keep(Resource setting) {
        Optional<Resource> set = cloud.store()
                .find(setting.text(TARGET), ResourceType.SCALE_SETS)
                .filter(found -> found.runningOperation().isEmpty());
        if (set.isEmpty() || !setting.isTrue("properties.enabled")) {
            return;
        }
        Instant now = cloud.clock().now();
        List<ObjectNode> profiles = setting.objects(PROFILES);
        profiles.stream()
                .filter(profile -> profile.has("fixedDate"))
                .filter(profile -> !now.isBefore(start(profile)) && now.isBefore(end(profile)))
                .findFirst()
                .or(() -> profiles.stream()
                        .filter(profile -> !profile.has("fixedDate"))
                        .findFirst())
                .ifPresent(profile -> scale(set.get(), number(profile, "minimum"), number(profile, "maximum")));
    }

    private void scale(Resource set, int least, int most) {
        int now = Instances.capacity(set);
        int wanted = Math.max(least, Math.min(most, now));
        if (wanted == now) {
            return;
        }
        Instances.capacity(set, wanted);
        set.state("Updating");
        set.operation(cloud.start(Work.SCALE_SET_UPDATE, null, instances.resize(set), failure -> {
            set.state(failure == null ? "Succeeded" : "Failed");
            instances.finished(set, failure);
            return null;
        }));
    }
}
