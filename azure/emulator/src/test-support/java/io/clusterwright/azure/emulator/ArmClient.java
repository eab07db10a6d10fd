package io.clusterwright.azure.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;

/** A plain client of an emulator, which knows the bodies that tests need. */
public final class ArmClient {
    public static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_POLLS = 300;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ArmEmulator emulator;

    public ArmClient(ArmEmulator emulator) {
        this.emulator = emulator;
    }

    public record Reply(int status, java.net.http.HttpHeaders headers, JsonNode body) {
        public String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        public String error() {
            return body.path("error").path("code").asText();
        }

        public String message() {
            return body.path("error").path("message").asText();
        }
    }

    public String group(String rest) {
        return "/subscriptions/" + emulator.subscriptionId() + "/resourceGroups/rg" + rest;
    }

    public String network(String rest) {
        return group("/providers/Microsoft.Network/" + rest);
    }

    public String compute(String rest) {
        return group("/providers/Microsoft.Compute/" + rest);
    }

    public String subscription(String rest) {
        return "/subscriptions/" + emulator.subscriptionId() + rest;
    }

    public Reply send(String method, String path, String body, String... headers) {
        String url = path.startsWith("http") ? path : emulator.url() + path;
        String version =
                url.contains("api-version") ? "" : (url.contains("?") ? "&" : "?") + "api-version=" + version(path);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + version))
                .timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        emulator.token().ifPresent(token -> request.header("Authorization", "Bearer " + token.reveal()));
        request.setHeader("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return raw(request.build());
    }

    /** A version that the service of this path has. */
    private static String version(String path) {
        String words = path.toLowerCase(Locale.ROOT);
        if (words.contains("/microsoft.network/")) {
            return "2025-03-01";
        }
        if (words.contains("/microsoft.devtestlab/")) {
            return "2018-09-15";
        }
        if (words.contains("/microsoft.insights/")) {
            return "2022-10-01";
        }
        if (words.contains("/microsoft.storage/")) {
            return "2023-01-01";
        }
        if (words.contains("/microsoft.keyvault/")) {
            return "2023-07-01";
        }
        return words.contains("/galleries")
                ? "2025-03-03"
                : words.contains("/disks") || words.contains("/snapshots") ? "2025-01-02" : words.contains("compute/skus") ? "2021-07-01" : "2025-04-01";
    }

    public Reply raw(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.headers(), JSON.readTree(response.body()));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public Reply get(String path) {
        return send("GET", path, "");
    }

    /** What the resource at a path has at a JSON pointer. */
    public JsonNode at(String path, String pointer) {
        return get(path).body().at(pointer);
    }

    public String text(String path, String pointer) {
        return at(path, pointer).asText();
    }

    public Reply put(String path, String body) {
        return send("PUT", path, body.replace('\'', '"'));
    }

    public Reply post(String path, String body) {
        return send("POST", path, body.replace('\'', '"'));
    }

    public Reply delete(String path) {
        return send("DELETE", path, "");
    }

    /** Asks until the operation that this reply started is over, and gives its last status. */
    public JsonNode done(Reply reply) {
        String link = reply.header("Azure-AsyncOperation");
        if (link.isEmpty()) {
            return JSON.createObjectNode().put("status", reply.status() < 300 ? "Succeeded" : reply.error());
        }
        for (int i = 0; i < MOST_POLLS; i++) {
            JsonNode status = get(link).body();
            if (!status.path("status").asText().equals("InProgress")) {
                return status;
            }
        }
        throw new AssertionError("the operation " + link + " is not over after " + MOST_POLLS + " polls");
    }

    public String finish(Reply reply) {
        return done(reply).path("status").asText();
    }

    /** A resource group with a network {@code vn} and a subnet {@code s} of 10.45.0.0/24. */
    public void prepare() {
        put(group(""), "{'location':'westeurope'}");
        finish(virtualNetwork("vn", "10.45"));
    }

    /** A network with a subnet {@code s}; the range is its first two numbers. */
    public Reply virtualNetwork(String name, String range) {
        return put(
                network("virtualNetworks/" + name),
                "{'location':'westeurope','properties':{'addressSpace':{'addressPrefixes':['" + range + ".0.0/16']},"
                        + "'subnets':[{'name':'s','properties':{'addressPrefix':'" + range + ".0.0/24'}}]}}");
    }

    public Reply networkInterface(String name, String address) {
        String allocation =
                address.isEmpty() ? "" : ",'privateIPAllocationMethod':'Static','privateIPAddress':'" + address + "'";
        return put(
                network("networkInterfaces/" + name),
                "{'location':'westeurope','properties':{'ipConfigurations':[{'name':'primary','properties':{'subnet':{'id':'"
                        + network("virtualNetworks/vn/subnets/s") + "'}" + allocation + "}}]}}");
    }

    public String machineBody(String networkInterface, String size, String image, String more) {
        return "{'location':'westeurope','properties':{'hardwareProfile':{'vmSize':'" + size + "'},'storageProfile':{"
                + "'imageReference':" + image + ",'osDisk':{'createOption':'FromImage','deleteOption':'Delete'}},"
                + "'osProfile':{'computerName':'" + networkInterface + "','adminUsername':'hpc','linuxConfiguration':{"
                + "'disablePasswordAuthentication':true,'ssh':{'publicKeys':[{'path':'/home/hpc/.ssh/authorized_keys',"
                + "'keyData':'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'}]}}},'networkProfile':{'networkInterfaces':[{'id':'"
                + network("networkInterfaces/" + networkInterface) + "'}]}" + more + "}}";
    }

    static final String UBUNTU = "{'publisher':'microsoft-dsvm','offer':'ubuntu-hpc','sku':'2204','version':'latest'}";

    /** A virtual machine with an interface of its own name. */
    public Reply machine(String name) {
        finish(networkInterface(name, ""));
        return put(compute("virtualMachines/" + name), machineBody(name, "Standard_HB120rs_v3", UBUNTU, ""));
    }

    /** A scale set in the subnet {@code s}. */
    public String scaleSetBody(String size, int capacity) {
        return "{'location':'westeurope','sku':{'name':'" + size + "','capacity':" + capacity
                + "},'properties':{'overprovision':false,'singlePlacementGroup':true,'upgradePolicy':{'mode':'Manual'},"
                + "'virtualMachineProfile':{'storageProfile':{'imageReference':" + UBUNTU + "},'osProfile':{"
                + "'computerNamePrefix':'node','adminUsername':'hpc','linuxConfiguration':{'ssh':{'publicKeys':[{'path':"
                + "'/home/hpc/.ssh/authorized_keys','keyData':'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'}]}}},'networkProfile':{"
                + "'networkInterfaceConfigurations':[{'name':'nic','properties':{'primary':true,'ipConfigurations':[{'name':"
                + "'ip','properties':{'subnet':{'id':'" + network("virtualNetworks/vn/subnets/s") + "'}}}]}}]}}}}";
    }
}
