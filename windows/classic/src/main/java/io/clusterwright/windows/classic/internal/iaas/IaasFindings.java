package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The kinds of findings about a configuration file. */
public final class IaasFindings {
    private static final List<FindingKind> KINDS = new ArrayList<>();

    static final FindingKind UNKNOWN = kind(
            "CW-IAAS-001",
            Severity.WARNING,
            "an element is not known; it is kept as it is",
            "correct its name, or ignore this when the manual of the script has it");
    static final FindingKind MISSING =
            kind("CW-IAAS-002", Severity.ERROR, "an element is missing that every published file has", "add it");
    static final FindingKind TWICE = kind("CW-IAAS-003", Severity.ERROR, "an element stands twice", "keep one of them");
    static final FindingKind VALUE =
            kind("CW-IAAS-004", Severity.ERROR, "an element holds what is not allowed there", "write what is allowed");
    static final FindingKind ORDER = kind(
            "CW-IAAS-005",
            Severity.WARNING,
            "elements are not in the order of the published files, which the script may insist on",
            "write the file again: it comes out in that order");
    static final FindingKind EITHER = kind(
            "CW-IAAS-006",
            Severity.ERROR,
            "of two elements that exclude each other, both or none are there",
            "keep exactly one of them");
    static final FindingKind NAME = kind(
            "CW-IAAS-007",
            Severity.ERROR,
            "a name is too long or of a wrong form, after expansion",
            "computers: at most 15 characters; cloud services: 1 to 63; storage accounts: 3 to 24 of a-z and 0-9");
    static final FindingKind HEAD_SIZE = kind(
            "CW-IAAS-008",
            Severity.WARNING,
            "the head node is smaller than A4",
            "write <VMSize>A4</VMSize> or a larger size");
    static final FindingKind SAME_SERVICE = kind(
            "CW-IAAS-009",
            Severity.WARNING,
            "head node and compute nodes share a cloud service",
            "give the compute nodes a separate cloud service");
    static final FindingKind MANY_SERVICES = kind(
            "CW-IAAS-010",
            Severity.WARNING,
            "RDMA nodes are in several cloud services, and no MPI job can span two",
            "give all RDMA nodes one ServiceName");
    static final FindingKind DRIVERS = kind(
            "CW-IAAS-011",
            Severity.WARNING,
            "the script installs HpcVmDrivers on A8 and A9 only",
            "add the extension HpcVmDrivers to VMExtensions of H16r and H16mr nodes");
    static final FindingKind CERTIFICATE = kind(
            "CW-IAAS-012",
            Severity.ERROR,
            "a certificate is referred to that is not in Certificates",
            "add it, or correct its number");
    static final FindingKind PASSWORD = kind(
            "CW-IAAS-013",
            Severity.WARNING,
            "the password of a certificate stands in the file",
            "keep the file where only its owner may read it, and delete it after the deployment");
    static final FindingKind SIZE = kind(
            "CW-IAAS-014",
            Severity.WARNING,
            "a size has no classic name that is known",
            "correct it, such as A8, or ignore this");
    static final FindingKind SERIES = kind(
            "CW-IAAS-015",
            Severity.INFO,
            "whether the first node of a series has this number is documented both ways",
            "look at the names that come out before you use them elsewhere");
    static final FindingKind LOCATION = kind(
            "CW-IAAS-016",
            Severity.WARNING,
            "a location has no classic name that is known",
            "correct it, such as West US, or ignore this");
    static final FindingKind LEFT_OUT = kind(
            "CW-IAAS-017",
            Severity.INFO,
            "the file says what a description cannot say, or the other way round",
            "keep the file as well, or do this part by hand");

    private IaasFindings() {}

    /** All kinds. */
    public static List<FindingKind> kinds() {
        return List.copyOf(KINDS);
    }

    /** The kinds that a file written from a spec can have and that no other rule reports. */
    public static List<FindingKind> ofSpecs() {
        Set<String> others = Set.of(HEAD_SIZE.code(), SAME_SERVICE.code(), DRIVERS.code(), LEFT_OUT.code());
        return KINDS.stream().filter(kind -> !others.contains(kind.code())).toList();
    }

    private static FindingKind kind(String code, Severity severity, String subject, String remedy) {
        FindingKind kind = new FindingKind(code, severity, subject, remedy);
        KINDS.add(kind);
        return kind;
    }
}
