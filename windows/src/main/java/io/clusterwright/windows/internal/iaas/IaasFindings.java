package io.clusterwright.windows.internal.iaas;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import java.util.List;

/** The kinds of findings about a configuration file. */
public final class IaasFindings {
    static final FindingKind UNKNOWN = warning(
            "CW-IAAS-001",
            "an element is not known; it is kept as it is",
            "correct its name, or ignore this when the manual of the script has it");
    static final FindingKind MISSING =
            error("CW-IAAS-002", "an element is missing that every published file has", "add it");
    static final FindingKind TWICE = error("CW-IAAS-003", "an element stands twice", "keep one of them");
    static final FindingKind VALUE =
            error("CW-IAAS-004", "an element holds what is not allowed there", "write what is allowed");
    static final FindingKind ORDER = warning(
            "CW-IAAS-005",
            "elements are not in the order of the published files, which the script may insist on",
            "write the file again: it comes out in that order");
    static final FindingKind EITHER = error(
            "CW-IAAS-006",
            "of two elements that exclude each other, both or none are there",
            "keep exactly one of them");
    static final FindingKind NAME = error(
            "CW-IAAS-007",
            "a name is too long or of a wrong form, after expansion",
            "computers: at most 15 characters; cloud services: 1 to 63; storage accounts: 3 to 24 of a-z and 0-9");
    static final FindingKind HEAD_SIZE =
            warning("CW-IAAS-008", "the head node is smaller than A4", "write <VMSize>A4</VMSize> or a larger size");
    static final FindingKind SAME_SERVICE = warning(
            "CW-IAAS-009",
            "head node and compute nodes share a cloud service",
            "give the compute nodes a separate cloud service");
    static final FindingKind MANY_SERVICES = warning(
            "CW-IAAS-010",
            "RDMA nodes are in several cloud services, and no MPI job can span two",
            "give all RDMA nodes one ServiceName");
    static final FindingKind DRIVERS = warning(
            "CW-IAAS-011",
            "the script installs HpcVmDrivers on A8 and A9 only",
            "install the extension HpcVmDrivers on H16r and H16mr nodes by hand");
    static final FindingKind CERTIFICATE = error(
            "CW-IAAS-012", "a certificate is referred to that is not in Certificates", "add it, or correct its number");
    static final FindingKind PASSWORD = warning(
            "CW-IAAS-013",
            "the password of a certificate stands in the file",
            "keep the file where only its owner may read it, and delete it after the deployment");
    static final FindingKind SIZE = warning(
            "CW-IAAS-014", "a size has no classic name that is known", "correct it, such as A8, or ignore this");
    static final FindingKind SERIES = info(
            "CW-IAAS-015",
            "whether the first node of a series has this number is documented both ways",
            "look at the names that come out before you use them elsewhere");
    static final FindingKind LOCATION = warning(
            "CW-IAAS-016",
            "a location has no classic name that is known",
            "correct it, such as West US, or ignore this");
    static final FindingKind LEFT_OUT = info(
            "CW-IAAS-017",
            "the file says what a description cannot say, or the other way round",
            "keep the file as well, or do this part by hand");

    private IaasFindings() {}

    /** All kinds. */
    public static List<FindingKind> kinds() {
        return List.of(
                UNKNOWN,
                MISSING,
                TWICE,
                VALUE,
                ORDER,
                EITHER,
                NAME,
                HEAD_SIZE,
                SAME_SERVICE,
                MANY_SERVICES,
                DRIVERS,
                CERTIFICATE,
                PASSWORD,
                SIZE,
                SERIES,
                LOCATION,
                LEFT_OUT);
    }

    private static FindingKind error(String code, String subject, String remedy) {
        return new FindingKind(code, Severity.ERROR, subject, remedy);
    }

    private static FindingKind warning(String code, String subject, String remedy) {
        return new FindingKind(code, Severity.WARNING, subject, remedy);
    }

    private static FindingKind info(String code, String subject, String remedy) {
        return new FindingKind(code, Severity.INFO, subject, remedy);
    }
}
