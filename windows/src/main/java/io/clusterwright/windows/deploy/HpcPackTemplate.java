package io.clusterwright.windows.deploy;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NodeGroup;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.windows.internal.template.BicepWriter;
import io.clusterwright.windows.internal.template.ClusterParts;
import io.clusterwright.windows.internal.template.CommunicationCertificate;
import io.clusterwright.windows.internal.template.TemplateSteps;
import io.clusterwright.windows.internal.template.TemplateWriter;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A cluster of HPC Pack 2019 as a template of Resource Manager, and as parameters for Microsoft's own templates. Immutable and safe for
 * use by several threads.
 *
 * <p>Deploying it makes machines that are billed. It makes: network, domain controller (unless the domain is there already), head
 * node, availability set for RDMA sizes, compute nodes with their InfiniBand driver and then the node agent.
 *
 * <p>Source: Azure/hpcpack-template, Bicep, @dea762e.
 */
public final class HpcPackTemplate {
    /** The name of the file of parameters for Microsoft's Bicep templates. */
    public static final String BICEP_FILE = "hpcpack.bicepparam";
    /** The name of the template's file. */
    public static final String TEMPLATE_FILE = "azuredeploy.json";
    /** The name of the file of the template's parameters. */
    public static final String PARAMETERS_FILE = "azuredeploy.parameters.json";

    private final ClusterParts parts;

    private HpcPackTemplate(ClusterParts parts) {
        this.parts = parts;
    }

    /**
     * The template of a description of scenario {@code resource-manager}.
     *
     * @param facts with the catalogs, which know the sizes with InfiniBand
     * @throws io.clusterwright.core.spec.InvalidSpecException with everything the template needs and the description lacks
     */
    public static HpcPackTemplate of(ClusterSpec spec, Facts facts) {
        return new HpcPackTemplate(ClusterParts.of(spec, facts));
    }

    /** The problems that keep a description from a template of HPC Pack; empty for none. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        return ClusterParts.problems(spec);
    }

    /**
     * The same with Linux compute nodes, which get the Linux node agent.
     *
     * @param nodes how many, of which size, and their names
     * @param image an image of Linux in the marketplace, or its resource id
     */
    public HpcPackTemplate linuxNodes(NodeGroup nodes, ImageReference image) {
        return new HpcPackTemplate(parts.linux(nodes, image));
    }

    /** The template. */
    public String template() {
        return new TemplateWriter(parts).template();
    }

    /** Its parameters, without secrets and without values that only the key vault has: the deployer is asked for them. */
    public String parameters() {
        return new TemplateWriter(parts).parameters();
    }

    /** The same cluster as parameters of Microsoft's Bicep templates, which must lie beside the file. */
    public String bicepParameters() {
        return new BicepWriter(parts).text();
    }

    /** Notes for the deployer. */
    public List<String> notes() {
        return parts.notes();
    }

    /** The steps of a deployment. */
    public List<PlanStep> steps() {
        return TemplateSteps.of(parts);
    }

    /** The policy for {@code az keyvault certificate create --policy @FILE} that makes the certificate of a cluster, valid for 60 months. */
    public static String certificatePolicy() {
        return CommunicationCertificate.policy();
    }

    /**
     * The problems that make a certificate unusable for a cluster; empty for none. A certificate does not say whether its private key can be
     * exported.
     *
     * @param at when it is to be used
     */
    public static List<String> certificateProblems(X509Certificate certificate, Instant at) {
        return CommunicationCertificate.problems(certificate, at);
    }
}
