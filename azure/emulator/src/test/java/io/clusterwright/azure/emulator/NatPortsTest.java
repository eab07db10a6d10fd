package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import org.junit.jupiter.api.Test;

/** The ports of the members of a pool, which only a question for one member tells. */
class NatPortsTest {
    @Test
    void tellsThePortOfAMemberOnlyWhenItIsAskedFor() {
        try (ArmEmulator emulator = ArmEmulator.start()) {
            ArmClient arm = new ArmClient(emulator);
            arm.prepare();
            String lb = arm.network("loadBalancers/lb");
            arm.finish(
                    arm.put(
                            arm.network("publicIPAddresses/ip"),
                            "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'publicIPAllocationMethod':'Static'}}"));
            assertThat(
                            arm.finish(
                                    arm.put(
                                            lb,
                                            "{'location':'westeurope','sku':{'name':'Standard'},'properties':{'frontendIPConfigurations':[{'name':'front',"
                                                    + "'properties':{'publicIPAddress':{'id':'"
                                                    + arm.network("publicIPAddresses/ip")
                                                    + "'}}}],'backendAddressPools':[{'name':'nodes'}],'inboundNatRules':[{'name':'ssh','properties':{"
                                                    + "'frontendIPConfiguration':{'id':'" + lb
                                                    + "/frontendIPConfigurations/front'},"
                                                    + "'backendAddressPool':{'id':'" + lb
                                                    + "/backendAddressPools/nodes'},'protocol':'Tcp',"
                                                    + "'frontendPortRangeStart':10100,'frontendPortRangeEnd':10109,'backendPort':22}}]}}")))
                    .isEqualTo("Succeeded");
            for (String name : new String[] {"a", "b"}) {
                arm.finish(arm.put(
                        arm.network("networkInterfaces/" + name),
                        "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'ip','properties':{'subnet':{'id':'"
                                + arm.network("virtualNetworks/vn/subnets/s")
                                + "'},'loadBalancerBackendAddressPools':[{'id':'" + lb
                                + "/backendAddressPools/nodes'}]}}]}}"));
            }
            JsonNode pool = arm.get(lb + "/backendAddressPools/nodes").body().path("properties");
            assertThat(pool.path("backendIPConfigurations")).hasSize(2);
            assertThat(pool.path("loadBalancerBackendAddresses")).hasSize(2);
            assertThat(pool.findValues("inboundNatRulesPortMapping")).allMatch(JsonNode::isEmpty);

            String question = lb + "/backendAddressPools/nodes/queryInboundNatRulePortMapping";
            Reply asked = arm.post(
                    question,
                    "{'ipConfiguration':{'id':'" + arm.network("networkInterfaces/b/ipConfigurations/ip") + "'}}");
            assertThat(asked.status()).isEqualTo(202);
            assertThat(arm.finish(asked)).isEqualTo("Succeeded");
            assertThat(arm.at(asked.header("Location"), "/inboundNatRulePortMappings/0"))
                    .asString()
                    .isEqualTo(
                            "{\"inboundNatRuleName\":\"ssh\",\"protocol\":\"Tcp\",\"frontendPort\":10101,\"backendPort\":22}");
            Reply byAddress = arm.post(question, "{'ipAddress':'10.45.0.4'}");
            arm.done(byAddress);
            assertThat(arm.at(byAddress.header("Location"), "/inboundNatRulePortMappings/0/frontendPort")
                            .asInt())
                    .isEqualTo(10100);
            assertThat(arm.post(question, "{}").error()).isEqualTo("InvalidRequestFormat");
            assertThat(arm.post(question, "{'ipAddress':'10.45.0.9'}").error()).isEqualTo("InvalidResourceReference");
        }
    }
}
