package io.clusterwright.core;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.internal.planning.Planning;
import io.clusterwright.core.internal.planning.PriceTableReader;
import io.clusterwright.core.internal.render.FileRendering;
import io.clusterwright.core.internal.spec.ProviderNames;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.type.IncompleteJarException;
import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks, plans and renders specs without an account, a provider or rights on this machine: from the spec, the
 * catalogs, and the prices and quotas that the caller states. Use it in editors and CI, where no account is at hand.
 *
 * <pre>{@code
 * List<Finding> findings = Planner.check(spec);
 * Plan offline = Planner.offline().prices(Planner.readPrices(prices)).plan(spec);
 * Planner.offline().render(spec).writeTo(folder);
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads. No key is made, no process is started and no network is used.
 */
public final class Planner {
    private static final String AZURE = "azure";

    private final String provider;
    private final @Nullable PriceTable prices;
    private final List<QuotaUse> quota;
    private final @Nullable StateStore keys;

    private Planner(String provider, @Nullable PriceTable prices, List<QuotaUse> quota, @Nullable StateStore keys) {
        this.provider = provider;
        this.prices = prices;
        this.quota = List.copyOf(quota);
        this.keys = keys;
    }

    /** Plans for Azure. */
    public static Planner offline() {
        return new Planner(AZURE, null, List.of(), null);
    }

    /**
     * The findings of all rules that need only the catalogs and the files that the spec names, without the suppressed
     * findings: first the missing values; each with its place in the text that was read. Findings about values of {@link
     * ClusterSpec#on()} follow, each under its provider, such as {@code on.azure.nodes.size}.
     *
     * @throws IncompleteJarException when the jar of the program lost rules of a module
     */
    public static List<Finding> check(ClusterSpec spec) {
        return Planning.check(spec);
    }

    /**
     * Plans for this provider: with its part of {@link ClusterSpec#on()}, and without the rules of other providers.
     *
     * @param provider {@code azure}, {@code emulator} or {@code local}, or the provider of another library
     * @throws InvalidValueException when the provider is nearly one of these
     * @throws InvalidSpecException when the provider's part does not fit the rest
     */
    public static List<Finding> check(ClusterSpec spec, String provider) {
        return Planning.check(spec, ProviderNames.requireSpelt(Objects.requireNonNull(provider, "provider")));
    }

    /** The problems of reading or merging a spec, as findings with their places. */
    public static List<Finding> findings(InvalidSpecException refusal) {
        return Planning.findings(refusal);
    }

    /**
     * Reads prices from YAML or JSON, such as {@code {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}}.
     *
     * @throws InvalidSpecException when the file cannot be read, or with everything wrong with it
     */
    public static PriceTable readPrices(Path file) {
        return PriceTableReader.read(file);
    }

    /**
     * Plans for another provider, such as {@code local}, with its part of {@link ClusterSpec#on()}.
     *
     * @throws InvalidValueException when the name is nearly the name of a provider of this library
     */
    public Planner provider(String name) {
        return new Planner(ProviderNames.requireSpelt(Objects.requireNonNull(name, "name")), prices, quota, keys);
    }

    /** Adds the prices of machines, and the findings about {@code costCap}. */
    public Planner prices(PriceTable table) {
        return new Planner(provider, Objects.requireNonNull(table, "table"), quota, keys);
    }

    /** Adds the quotas of the subscription. */
    public Planner quota(List<QuotaUse> uses) {
        return new Planner(provider, prices, uses, keys);
    }

    /** Adds the public keys of the cluster with the spec's name from this store, which is only read; for rendered files. */
    public Planner keys(StateStore known) {
        return new Planner(provider, prices, quota, Objects.requireNonNull(known, "known"));
    }

    /**
     * The plan. Checks that need the provider are listed as not checked. Such a plan is for reading: {@link ClusterManager#create(Plan)}
     * refuses it, and {@link ClusterManager#plan(ClusterSpec)} makes one from live facts.
     *
     * @throws InvalidSpecException when a file that the spec names cannot be read, or its part for the provider does not fit the rest
     */
    public Plan plan(ClusterSpec spec) {
        return Planning.offline(spec, provider, prices, quota);
    }

    /**
     * Renders the files of a spec, for people who carry it out with their own tools; writes none. The same spec
     * always gives the same bytes.
     *
     * @throws SpecRefusedException when a rule finds an error in the spec
     * @throws InvalidSpecException when the provider's part does not fit the rest, or a file that the spec names cannot be read
     * @throws io.clusterwright.core.type.ClusterwrightException when two renderers make a file of the same name
     */
    public RenderedFiles render(ClusterSpec spec) {
        return FileRendering.render(spec, provider, keys);
    }

    /** The provider, such as {@code plans for azure}. */
    @Override
    public String toString() {
        return "plans for " + provider;
    }
}
