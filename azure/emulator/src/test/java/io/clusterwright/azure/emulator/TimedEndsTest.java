package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines and instances that Azure ends at a time. */
class TimedEndsTest extends WithEmulator {
    private static final String SETTING = "/providers/Microsoft.Insights/autoscaleSettings/end";

    private String schedule(String machine) {
        return arm.group("/providers/Microsoft.DevTestLab/schedules/shutdown-computevm-" + machine);
    }

    private String shutdown(String machine, Duration ahead) {
        String time = DateTimeFormatter.ofPattern("HHmm")
                .format(Instant.now().plus(ahead).atOffset(ZoneOffset.UTC));
        return "{'location':'westeurope','properties':{'status':'Enabled','taskType':'ComputeVmShutdownTask',"
                + "'dailyRecurrence':{'time':'" + time + "'},'timeZoneId':'UTC','targetResourceId':'"
                + arm.compute("virtualMachines/" + machine) + "'}}";
    }

    private List<String> power(String machine) {
        emulator.advance(Duration.ofMinutes(1));
        return arm.get(arm.compute("virtualMachines/" + machine + "/instanceView"))
                .body()
                .path("statuses")
                .findValuesAsText("code");
    }

    @Test
    void aScheduleDeallocatesItsMachineAtThisTimeOfEachDay() {
        arm.finish(arm.machine("m"));
        assertThat(arm.put(schedule("m"), shutdown("m", Duration.ofHours(2))).status())
                .isEqualTo(201);

        emulator.advance(Duration.ofHours(1));
        assertThat(power("m")).contains("PowerState/running");
        emulator.advance(Duration.ofHours(1));
        assertThat(power("m")).contains("PowerState/deallocated");

        arm.finish(arm.post(arm.compute("virtualMachines/m/start"), ""));
        emulator.advance(Duration.ofHours(20));
        assertThat(power("m")).contains("PowerState/running");
        emulator.advance(Duration.ofHours(4));
        assertThat(power("m")).contains("PowerState/deallocated");
    }

    @Test
    void aScheduleForTheNextHalfHourAppliesToTheNextDay() {
        arm.finish(arm.machine("m"));
        arm.put(schedule("m"), shutdown("m", Duration.ofMinutes(20)));

        emulator.advance(Duration.ofHours(1));
        assertThat(power("m")).contains("PowerState/running");
        emulator.advance(Duration.ofHours(24));
        assertThat(power("m")).contains("PowerState/deallocated");
    }

    @Test
    void aScheduleThatIsDeletedOrDisabledStopsNothingAndStaysWhenItsMachineGoes() {
        arm.finish(arm.machine("m"));
        arm.put(schedule("m"), shutdown("m", Duration.ofHours(2)));
        arm.put(schedule("m"), shutdown("m", Duration.ofHours(2)).replace("'Enabled'", "'Disabled'"));
        arm.finish(arm.machine("n"));
        arm.put(schedule("n"), shutdown("n", Duration.ofHours(2)));
        arm.delete(schedule("n"));

        emulator.advance(Duration.ofHours(3));

        assertThat(power("m")).contains("PowerState/running");
        assertThat(power("n")).contains("PowerState/running");
        arm.finish(arm.delete(arm.compute("virtualMachines/m")));
        assertThat(arm.get(schedule("m")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'dailyRecurrence':|'weeklyRecurrence':|MissingDailyRecurrence|The daily recurrence of the schedule is missing.",
                "'time':'|'time':'x|InvalidScheduleTime|is not of the form HHmm",
                "ComputeVmShutdownTask|LabVmsShutdownTask|InvalidScheduleTask|The task type 'LabVmsShutdownTask' is not valid",
                "'timeZoneId':'UTC'|'timeZoneId':'Mars'|InvalidScheduleTimeZone|The time zone 'Mars'",
                "virtualMachines/m|virtualMachines/other|InvalidScheduleName|must be named 'shutdown-computevm-other'",
                "'status'|'state'|InvalidRequestFormat|",
            })
    void refusesOtherSchedules(String text, String instead, String code, String message) {
        arm.finish(arm.machine("m"));

        ArmClient.Reply reply =
                arm.put(schedule("m"), shutdown("m", Duration.ofHours(2)).replace(text, instead));

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message == null ? "" : message);
        assertThat(arm.put(schedule("none"), shutdown("none", Duration.ofHours(2)))
                        .error())
                .isEqualTo("InvalidScheduleTarget");
    }

    private void makeSet() {
        String made = arm.finish(arm.put(
                arm.compute("virtualMachineScaleSets/set"),
                "{'location':'westeurope','sku':{'name':'Standard_HB120rs_v3','capacity':2},'properties':{"
                        + "'overprovision':false,'upgradePolicy':{'mode':'Manual'},'virtualMachineProfile':{"
                        + "'storageProfile':{'imageReference':" + ArmClient.UBUNTU + "},'osProfile':{"
                        + "'computerNamePrefix':'node','adminUsername':'hpc','linuxConfiguration':{'ssh':{'publicKeys':[{"
                        + "'path':'/home/hpc/.ssh/authorized_keys','keyData':'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'}]}}},'networkProfile':{"
                        + "'networkInterfaceConfigurations':[{'name':'nic','properties':{'primary':true,"
                        + "'ipConfigurations':[{'name':'ip','properties':{'subnet':{'id':'"
                        + arm.network("virtualNetworks/vn/subnets/s") + "'}}}]}}]}}}}"));
        assertThat(made).isEqualTo("Succeeded");
    }

    private String setting(Duration start, String capacity) {
        Instant from = Instant.now().plus(start);
        return "{'location':'westeurope','properties':{'enabled':true,'targetResourceUri':'"
                + arm.compute("virtualMachineScaleSets/set") + "','profiles':[{'name':'end','capacity':{" + capacity
                + "},'rules':[],'fixedDate':{'timeZone':'UTC','start':'" + from + "','end':'"
                + from.plus(Duration.ofDays(365)) + "'}},{'name':'before','capacity':{'minimum':'0','maximum':'1000',"
                + "'default':'0'},'rules':[]}]}}";
    }

    private int instances() {
        emulator.advance(Duration.ofMinutes(1));
        return arm.get(arm.compute("virtualMachineScaleSets/set/virtualMachines"))
                .body()
                .path("value")
                .size();
    }

    @Test
    void anAutoscaleSettingDeletesTheInstancesAtItsDateAndThoseThatComeLater() {
        makeSet();
        String none = "'minimum':'0','maximum':'0','default':'0'";
        assertThat(arm.put(arm.group(SETTING), setting(Duration.ofHours(30), none))
                        .status())
                .isEqualTo(201);

        emulator.advance(Duration.ofHours(29));
        assertThat(instances()).isEqualTo(2);
        emulator.advance(Duration.ofHours(1));
        assertThat(instances()).isZero();

        String scaled = "{'location':'westeurope','sku':{'name':'Standard_HB120rs_v3','capacity':1}}";
        arm.finish(arm.put(arm.compute("virtualMachineScaleSets/set"), scaled));
        assertThat(instances()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'minimum':'0','maximum':'1001','default':'0'|InvalidAutoscale|It is a number from 0 to 1000.",
                "'minimum':'3','maximum':'1','default':'0'|InvalidAutoscale|The default must be between",
                "'minimum':'0','maximum':'1'|InvalidParameter|Required parameter",
                "'minimum':0,'most':'1'|InvalidRequestFormat|",
            })
    void refusesCapacitiesThatAutoscaleDoesNotHave(String capacity, String code, String message) {
        makeSet();

        ArmClient.Reply reply = arm.put(arm.group(SETTING), setting(Duration.ofHours(30), capacity));

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.message()).contains(message == null ? "" : message);
    }

    @Test
    void anAutoscaleSettingBelongsToOneExistingScaleSetForLife() {
        String body = setting(Duration.ofHours(30), "'minimum':'0','maximum':'0','default':'0'");
        assertThat(arm.put(arm.group(SETTING), body).error()).isEqualTo("TargetResourceNotFound");
        makeSet();
        assertThat(arm.put(arm.group(SETTING), body).status()).isEqualTo(201);

        assertThat(arm.put(arm.group(SETTING), body.replace("Sets/set'", "Sets/other'"))
                        .error())
                .isEqualTo("TargetResourceIdIsImmutable");
        assertThat(arm.put(arm.group(SETTING) + "2", body).error()).isEqualTo("TargetResourceHasSetting");
    }
}
