package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import java.util.regex.Pattern;

/** Microsoft.DevTestLab/schedules: deallocate one machine each day at a time of day. */
final class AutoShutdowns {
    private static final String TARGET = "properties.targetResourceId";
    private static final String TIME = "properties.dailyRecurrence.time";
    private static final Pattern TIME_FORM = Pattern.compile("([01]\\d|2[0-3])[0-5]\\d");
    private static final String ARMED = "armed";

    /** A schedule that is written less than this before its time applies to the next day. */
    private static final Duration LEAD = Duration.ofMinutes(30);

    private final Cloud cloud;
    private final BackingMachines machines;

    AutoShutdowns(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
    }

    ResourceType type() {
        return ResourceType.of(ResourceType.AUTO_SHUTDOWNS)
                .rows(
                        Row.required("properties.taskType", "properties.taskType", "taskType"),
                        Row.refuse(
                                schedule -> !schedule.is("properties.taskType", "ComputeVmShutdownTask"),
                                "InvalidScheduleTask",
                                schedule -> schedule.text("properties.taskType")),
                        AutoShutdowns::requireTarget,
                        Row.refuse(schedule -> !schedule.has(TIME), "MissingDailyRecurrence"),
                        Row.refuse(
                                schedule ->
                                        !TIME_FORM.matcher(schedule.text(TIME)).matches(),
                                "InvalidScheduleTime",
                                schedule -> schedule.text(TIME)),
                        Row.refuse(
                                schedule -> !schedule.is("properties.timeZoneId", "UTC"),
                                "InvalidScheduleTimeZone",
                                schedule -> schedule.text("properties.timeZoneId")),
                        Row.standard("properties.status", "Disabled"),
                        Row.timeOf("properties.createdDate"),
                        Row.uuid("properties.uniqueIdentifier"))
                .finished((schedule, failure) -> arm(schedule));
    }

    private static void requireTarget(Draft schedule) {
        String target = schedule.text(TARGET);
        boolean machine =
                ResourcePath.isResource(target) && ResourcePath.of(target).isOfType(ResourceType.MACHINES);
        refuse(!machine, "InvalidScheduleTarget", target);
        String name = "shutdown-computevm-" + ResourcePath.of(target).name();
        refuse(!schedule.name().equalsIgnoreCase(name), "InvalidScheduleName", schedule.name(), name);
        refuse(schedule.store().find(target, ResourceType.MACHINES).isEmpty(), "InvalidScheduleTarget", target);
    }

    private void arm(Resource schedule) {
        String token = UUID.randomUUID().toString();
        schedule.hide(ARMED, token);
        if (schedule.text("properties.status").equals("Enabled")) {
            fire(schedule, token, next(schedule, cloud.clock().now().plus(LEAD)));
        }
    }

    /** The first time at which it is due, not before this one. */
    private static Instant next(Resource schedule, Instant from) {
        LocalTime time = LocalTime.parse(schedule.text(TIME), DateTimeFormatter.ofPattern("HHmm"));
        ZonedDateTime today = from.atZone(ZoneOffset.UTC).with(time);
        return (today.toInstant().isBefore(from) ? today.plusDays(1) : today).toInstant();
    }

    private void fire(Resource schedule, String token, Instant due) {
        Instant now = cloud.clock().now();
        cloud.operations().start(Duration.between(now, due), null, ResourceType.NO_MACHINES, failure -> {
            if (cloud.store().holds(schedule) && schedule.isHidden(ARMED, token)) {
                cloud.store()
                        .find(schedule.text(TARGET), ResourceType.MACHINES)
                        .filter(MachineViews::isRunning)
                        .ifPresent(this::deallocate);
                fire(schedule, token, next(schedule, cloud.clock().now().plusSeconds(60)));
            }
            return null;
        });
    }

    private void deallocate(Resource machine) {
        LongOperation operation = cloud.start(Work.VM_DEALLOCATE, null, machines.stop(machine.id()), failure -> {
            if (failure == null) {
                machine.hide(MachineViews.POWER, "deallocated");
            }
            return null;
        });
        machine.operation(operation);
    }
}
