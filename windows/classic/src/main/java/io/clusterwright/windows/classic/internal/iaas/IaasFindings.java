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
            "an element is not known; it is kept unchanged",
            "correct its name, or ignore this if the manual of the script has the element");
    static final FindingKind MISSING = kind(
            "CW-IAAS-002", Severity.ERROR, "a required element is missing", "add the element that the finding names");
    static final FindingKind TWICE =
            kind("CW-IAAS-003", Severity.ERROR, "an element is written twice", "remove one of the two elements");
    static final FindingKind VALUE = kind(
            "CW-IAAS-004",
            Severity.ERROR,
            "the value of an element is not allowed",
            "write one of the values that the finding lists");
    static final FindingKind ORDER = kind(
            "CW-IAAS-005",
            Severity.WARNING,
            "the order of elements differs from the published files, and the script may need their order",
            "write the file again with IaasConfiguration.toXml(), which uses the order");
    static final FindingKind EITHER = kind(
            "CW-IAAS-006",
            Severity.ERROR,
            "exactly one of two elements is needed, and both or neither are there",
            "write exactly one of the two elements");
    static final FindingKind NAME = kind(
            "CW-IAAS-007",
            Severity.ERROR,
            "a name is too long or has a wrong form",
            "use at most 15 characters for computers, 1 to 63 for cloud services, 3 to 24 lower-case letters or digits for storage accounts");
    static final FindingKind HEAD_SIZE = kind(
            "CW-IAAS-008",
            Severity.WARNING,
            "the head node is smaller than A4",
            "write <VMSize>A4</VMSize> or a larger size");
    static final FindingKind SAME_SERVICE = kind(
            "CW-IAAS-009",
            Severity.WARNING,
            "head node and compute nodes share a cloud service",
            "write another ServiceName for the compute nodes");
    static final FindingKind MANY_SERVICES = kind(
            "CW-IAAS-010",
            Severity.WARNING,
            "RDMA nodes are in several cloud services, and an MPI job cannot span two",
            "write one ServiceName for all RDMA nodes");
    static final FindingKind DRIVERS = kind(
            "CW-IAAS-011",
            Severity.WARNING,
            "the script installs HpcVmDrivers on A8 and A9 only",
            "add the extension HpcVmDrivers to VMExtensions of H16r and H16mr nodes");
    static final FindingKind CERTIFICATE = kind(
            "CW-IAAS-012",
            Severity.ERROR,
            "a certificate is used that is not in Certificates",
            "add the certificate, or correct its number");
    static final FindingKind PASSWORD = kind(
            "CW-IAAS-013",
            Severity.WARNING,
            "the file has the password of a certificate",
            "let only the owner read the file, and delete it after the deployment");
    static final FindingKind SIZE = kind(
            "CW-IAAS-014",
            Severity.WARNING,
            "a size has no known classic name",
            "write a classic size such as A8, or ignore this");
    static final FindingKind SERIES = kind(
            "CW-IAAS-015",
            Severity.INFO,
            "the documentation contradicts itself about the number of the first node",
            "check the names of the nodes before you use them elsewhere");
    static final FindingKind LOCATION = kind(
            "CW-IAAS-016",
            Severity.WARNING,
            "a location has no known classic name",
            "write a classic location such as West US, or ignore this");
    static final FindingKind LEFT_OUT = kind(
            "CW-IAAS-017",
            Severity.INFO,
            "the configuration file and the spec do not have the same fields",
            "keep the configuration file too, or set up this part by hand");

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
