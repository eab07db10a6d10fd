package io.clusterwright.windows.deploy;

import io.clusterwright.core.type.ImageReference;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes parameters for the Bicep templates of Azure/hpcpack-template. */
final class BicepWriter {
    private static final Map<String, String> IMAGES = Map.of(
            "2012-datacenter", "WindowsServer2012",
            "2012-r2-datacenter", "WindowsServer2012R2",
            "2016-datacenter", "WindowsServer2016",
            "2019-datacenter", "WindowsServer2019",
            "2022-datacenter", "WindowsServer2022",
            "2012-datacenter-gensecond", "WindowsServer2012_Gen2",
            "2012-r2-datacenter-gensecond", "WindowsServer2012R2_Gen2",
            "2016-datacenter-gensecond", "WindowsServer2016_Gen2",
            "2019-datacenter-gensecond", "WindowsServer2019_Gen2",
            "2022-datacenter-g2", "WindowsServer2022_Gen2");

    private final HpcPackTemplate parts;
    private final Map<String, String> parameters = new LinkedHashMap<>();

    BicepWriter(HpcPackTemplate parts) {
        this.parts = parts;
    }

    String text() {
        text("hpcPackRelease", "2019 Update 3");
        text("clusterName", parts.manager().clusterName());
        domain();
        text("headNodeOS", "WindowsServer" + parts.headSystem());
        text("headNodeVMSize", parts.headSize().name());
        text("computeNodeNamePrefix", parts.spec().nodes().pattern().prefix());
        parameters.put(
                "computeNodeNumber", Integer.toString(parts.spec().nodes().count()));
        image();
        text("computeNodeVMSize", parts.nodeSize().name());
        text("availabilitySetOption", availabilitySet());
        text("adminUsername", parts.spec().login().user().value());
        parameters.put("adminPassword", "readEnvironmentVariable(" + quoted(parts.passwordVariable()) + ")");
        text("createPublicIPAddressForHeadNode", yesOrNo(parts.publicAddress()));
        text(
                "useSpotInstanceForComputeNodes",
                yesOrNo(parts.spec().nodes().spot().enabled()));
        text("autoInstallInfiniBandDriver", "Yes");
        StringBuilder file = new StringBuilder(
                "// Cluster " + parts.spec().name()
                        + " by the templates of Azure/hpcpack-template, folder Bicep; compute nodes are numbered from 000 there.\n");
        file.append("using ").append(quoted(template())).append("\n\n");
        parameters.forEach((name, value) -> file.append("param " + name + " = " + value + "\n"));
        return file.toString();
    }

    private String template() {
        return parts.newDomain() ? "new-1hn-wincn-ad.bicep" : "new-1hn-wincn-existing-ad.bicep";
    }

    private void domain() {
        if (!parts.newDomain()) {
            text("virtualNetworkName", parts.spec().network().name());
            text("virtualNetworkResourceGroupName", parts.spec().resourceGroup());
            text("subnetName", parts.spec().network().subnet().name());
        }
        text("domainName", parts.domain().fqdn());
    }

    /** As the template's own Auto, but with the catalog's knowledge of sizes, where Auto looks for a letter in the name. */
    private String availabilitySet() {
        if (!parts.availabilitySet()) {
            return "None";
        }
        return parts.rdma(parts.headSize()) ? "AllNodes" : "ComputeNodes";
    }

    private void image() {
        ImageReference image = parts.nodeImage();
        String known = image instanceof ImageReference.Marketplace marketplace
                ? IMAGES.getOrDefault(marketplace.sku().toLowerCase(Locale.ROOT), "CustomImage")
                : "CustomImage";
        text("computeNodeImage", known);
        if (known.equals("CustomImage")) {
            text("computeNodeImageResourceId", image.toString());
        }
    }

    private void text(String name, String value) {
        parameters.put(name, quoted(value));
    }

    private static String yesOrNo(boolean yes) {
        return yes ? "Yes" : "No";
    }

    /** A literal of Bicep. */
    private static String quoted(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\${") + "'";
    }
}
