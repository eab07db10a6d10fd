package io.clusterwright.core.internal.planning;

import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.internal.planning.ComputedPlan.ImagePlan;
import io.clusterwright.core.internal.rules.MoneyRules;
import io.clusterwright.core.internal.rules.QuotaDemand;
import io.clusterwright.core.internal.rules.ReadingFindings;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.internal.spec.PlainValues;
import io.clusterwright.core.internal.spec.ProviderNames;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.spi.StepSource;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes plans: findings, steps, quota and price of a spec. */
public final class Planning {
    private static final String READING = "CW-READ-";

    private Planning() {}

    /**
     * The findings of the rules that need only the catalogs, for any cloud: first the missing values. Then the findings of
     * each provider about values of its part.
     */
    public static List<Finding> check(ClusterSpec spec) {
        List<Finding> base = unlocated(spec, Facts.offline());
        List<Finding> findings = new ArrayList<>(located(spec, "", base));
        spec.on()
                .keySet()
                .forEach(provider -> unlocated(
                                spec.forProvider(provider), Facts.offline().provider(provider))
                        .stream()
                        .filter(finding -> !base.contains(finding)
                                && partWith(spec, provider, finding.path()).isPresent())
                        .forEach(finding -> findings.add(located(spec, provider, finding))));
        return findings;
    }

    /** The findings of the rules that need only the catalogs, for this provider: first the missing values. */
    public static List<Finding> check(ClusterSpec spec, String provider) {
        ClusterSpec there = spec.forProvider(provider);
        List<Finding> findings =
                new ArrayList<>(unlocated(there, Facts.offline().provider(provider)));
        findings.addAll(ReadingFindings.of(ImageRecipe.unfitArchive(there)));
        return located(spec, provider, findings);
    }

    private static List<Finding> unlocated(ClusterSpec spec, Facts facts) {
        List<Finding> findings = new ArrayList<>(RuleBook.installed().check(spec, facts, List.of()));
        findings.addAll(ReadingFindings.of(ImageRecipe.unreadable(spec)));
        findings.addAll(ReadingFindings.of(ImageRecipe.unfitScripts(spec)));
        findings.sort(Comparator.comparing(finding -> !finding.code().startsWith(READING)));
        return findings;
    }

    /**
     * The findings with the paths and places of their fields: in the provider's part of the spec, where that has the
     * field.
     *
     * @param spec as the caller wrote it
     * @param provider empty for a spec without the part of a provider
     */
    public static List<Finding> located(ClusterSpec spec, String provider, List<Finding> findings) {
        return findings.stream()
                .map(finding -> located(spec, provider, finding))
                .toList();
    }

    private static Finding located(ClusterSpec spec, String provider, Finding finding) {
        if (finding.path().isEmpty()) {
            return finding;
        }
        String path = partWith(spec, provider, finding.path())
                .map(part -> part + "." + finding.path())
                .orElse(finding.path());
        Finding there = new Finding(finding.code(), finding.severity(), path, finding.message(), finding.remedy());
        return ReadingFindings.located(there, spec.located(SpecProblem.of(path, finding.message(), finding.remedy())));
    }

    /** The path of the provider's part of a spec, such as {@code on.azure}, where the part has the field. */
    private static Optional<String> partWith(ClusterSpec spec, String provider, String path) {
        String part = ProviderNames.partOf(provider, spec.on().keySet());
        return Optional.ofNullable(spec.on().get(part))
                .filter(values -> !path.isEmpty() && PlainValues.has(values, path))
                .map(values -> "on." + part);
    }

    /** The problems of reading, as findings. */
    public static List<Finding> findings(InvalidSpecException refusal) {
        return ReadingFindings.of(refusal);
    }

    /**
     * The spec with the MPI and the driver extension of the size where it names none, so that every way to carry it out installs the same.
     * Not so for local nodes; and no MPI on Windows, where HPC Pack brings it.
     */
    public static ClusterSpec withDefaults(ClusterSpec spec, Facts facts) {
        if (facts.local()) {
            return spec;
        }
        ClusterSpec.Builder full = spec.toBuilder();
        if (spec.operatingSystem() == OperatingSystem.LINUX) {
            SizeDefaults.unnamedMpi(spec, facts.sizes())
                    .ifPresent(mpi -> full.image(image -> image.customize(customize -> customize.mpi(mpi))));
        }
        SizeDefaults.unnamedDriver(spec, facts.sizes()).ifPresent(full::addExtension);
        return full.build();
    }

    /**
     * The plan of a spec on a provider.
     *
     * @param exists whether a cluster of that name has a record already
     * @param prices the prices of machines, or null for unknown
     */
    public static ComputedPlan plan(
            ClusterSpec read, MachineProvider provider, boolean exists, @Nullable PriceTable prices) {
        ClusterSpec spec = read.forProvider(provider.name());
        Inspection inspection = provider.inspect(spec);
        Facts facts = facts(provider.name(), inspection.quota(), prices);
        ClusterSpec full = provider.bootsNamedImages() ? withDefaults(spec, facts) : spec;
        ImageRecipe recipe = ImageRecipe.of(full, provider.name() + "\n" + inspection.baseFingerprint());
        List<Finding> inspected = new ArrayList<>(RuleBook.visible(spec, inspection.findings()));
        inspected.addAll(unfitFiles(full));
        boolean able = inspected.stream().noneMatch(Finding::isError);
        // Where the provider cannot work, such as for want of rights, asking for its images may fail too.
        List<String> notChecked = new ArrayList<>(inspection.notChecked());
        Set<String> images = able
                ? usable(queryOrNote("images: whether one was captured already", provider::images, notChecked))
                : Set.of();
        ImagePlan image = new ImagePlan(
                spec.image().capture(),
                provider.layersImages(),
                recipe,
                images.contains(recipe.image()),
                images.contains(recipe.updates()));
        if (able && !exists) {
            queryOrNote("names: whether another cluster has this one", () -> provider.marked(spec.name()), notChecked)
                    .forEach(other -> inspected.add(foreign(other, provider.name())));
        }
        Inspection whole = new Inspection(inspected, notChecked, inspection.baseFingerprint(), inspection.quota());
        return put(read, spec, full, facts, whole, image, exists, false);
    }

    /** The findings about scripts and archives that can be read and that no node could use. */
    private static List<Finding> unfitFiles(ClusterSpec spec) {
        List<Finding> findings = new ArrayList<>(ReadingFindings.of(ImageRecipe.unfitArchive(spec)));
        findings.addAll(ReadingFindings.of(ImageRecipe.unfitScripts(spec)));
        return findings;
    }

    private static Finding foreign(MarkedCluster other, String provider) {
        return new Finding(
                "CW-NAME-006",
                Severity.ERROR,
                "name",
                "a cluster of this name already exists (" + other.place() + ") with id "
                        + other.id().id() + ", and this state folder has no record of it",
                "write another name, set CLUSTERWRIGHT_STATE to the state folder that created it (StateStore.in), or"
                        + " run: clusterwright adopt " + other.id().name() + " --id "
                        + other.id().id() + " --on " + provider + " (ClusterManager.adopt)");
    }

    /** The answer of a provider that has answered before; where it refuses, none, and a note that this is not checked. */
    private static <T> List<T> queryOrNote(String what, Supplier<List<T>> question, List<String> notChecked) {
        try {
            return question.get();
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            notChecked.add(what + ", because " + e.getMessage());
            return List.of();
        }
    }

    /** An image that never passed its boot test, such as the image of a killed program, is built again. */
    private static Set<String> usable(List<StoredImage> images) {
        return images.stream()
                .filter(StoredImage::proven)
                .map(StoredImage::name)
                .collect(Collectors.toSet());
    }

    /**
     * The plan of a spec without a provider; lists the checks that this leaves out.
     *
     * @param prices the prices of machines, or null for unknown
     * @param quota the quotas that the caller knows
     */
    public static Plan offline(ClusterSpec read, String provider, @Nullable PriceTable prices, List<QuotaUse> quota) {
        ClusterSpec spec = read.forProvider(provider);
        Facts facts = facts(provider, quota, prices);
        ClusterSpec full = withDefaults(spec, facts);
        Inspection nothing = new Inspection(unfitFiles(full), offlineGaps(spec, provider), "");
        ImageRecipe recipe = ImageRecipe.of(full, provider);
        ImagePlan image = new ImagePlan(spec.image().capture(), false, recipe, false, false);
        return put(read, spec, full, facts, nothing, image, false, true);
    }

    private static Facts facts(String provider, List<QuotaUse> quota, @Nullable PriceTable prices) {
        Facts known = Facts.offline().provider(provider).quota(quota);
        return prices == null ? known : known.prices(prices);
    }

    /**
     * Joins the parts of a plan.
     *
     * @param read as the caller wrote it; findings have their places in it
     * @param spec with the provider's part; the subject of findings
     * @param full the spec to carry out
     */
    private static ComputedPlan put(
            ClusterSpec read,
            ClusterSpec spec,
            ClusterSpec full,
            Facts facts,
            Inspection inspection,
            ImagePlan image,
            boolean exists,
            boolean offline) {
        RuleBook rules = RuleBook.installed();
        List<QuotaLine> quota = facts.local() ? List.of() : QuotaDemand.of(spec, facts);
        Optional<Price> price = facts.local() ? Optional.empty() : MoneyRules.price(spec, facts);
        List<String> notChecked = new ArrayList<>(inspection.notChecked());
        notChecked.addAll(rules.notChecked(spec, facts, quota, price));
        return new ComputedPlan(
                full,
                facts.provider().orElseThrow(),
                image,
                located(read, facts.provider().orElseThrow(), rules.check(spec, facts, inspection.findings())),
                steps(full, facts, image, exists),
                quota,
                notChecked,
                offline,
                price);
    }

    /** The steps of the first source that has any for this spec; else the steps of making it machine by machine. */
    private static List<PlanStep> steps(ClusterSpec spec, Facts facts, ImagePlan image, boolean exists) {
        return Services.of(StepSource.class).stream()
                .map(source -> source.steps(spec, facts))
                .filter(steps -> !steps.isEmpty())
                .findFirst()
                .orElseGet(() -> PlanSteps.of(spec, facts, image, exists));
    }

    /** The questions that only a cloud can answer, for a plan without one. */
    private static List<String> offlineGaps(ClusterSpec spec, String provider) {
        String why = ", because the cloud was not queried";
        List<String> lines = new ArrayList<>();
        String head = spec.headNode()
                .flatMap(HeadNode::size)
                .filter(size -> !spec.nodes().size().equals(Optional.of(size)))
                .map(size -> " and " + size)
                .orElse("");
        lines.add("size: " + spec.nodes().size().map(VmSize::toString).orElse("none") + head
                + ": offered to this subscription in " + spec.region().orElse("an unknown region") + why);
        if (!(spec.image().base() instanceof ImageReference.Auto)) {
            lines.add("image: whether " + spec.image().base() + " exists there and its terms are accepted" + why);
        } else {
            lines.add("image: whether the default image of the size exists there and its terms are accepted" + why);
        }
        lines.add("image: whether an image of the same recipe exists" + why);
        lines.add(
                "names: whether " + spec.resourceGroup() + " exists, and whether other resources have its names" + why);
        if (spec.network().existing()) {
            lines.add("network: whether " + spec.network().name() + " exists with these ranges" + why);
        }
        SshAccess ssh = spec.network().ssh();
        if (provider.equals("azure")
                && ssh.external() != SshAccess.External.NONE
                && ssh.allowFrom().isEmpty()) {
            lines.add("network.ssh.allowFrom: it is empty, and create refuses that (CW-AZURE-006) unless the caller's"
                    + " address is added");
        }
        return lines;
    }
}
