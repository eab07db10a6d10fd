package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Durations;
import io.clusterwright.core.internal.spec.ProviderNames;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NamePattern;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The forms of small values. Each check returns the value in its canonical form or throws. */
final class Checks {
    private static final int MOST_TAGS = 40;
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final String OWN_TAGS = "clusterwright";
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String ADDRESS = OCTET + "(\\." + OCTET + "){3}";
    /** Besides the controls of ASCII, the C1 controls and what YAML, JavaScript and terminals take for the end of a line. */
    private static final String CONTROL = "\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029";

    private static final String TEXT = "[^" + CONTROL + "]";

    static final Form CURRENCY = new Form("currency", "[A-Z]{3}", "three capital letters", "EUR");
    static final Form REGION =
            new Form("region", "[a-z][a-z0-9-]{1,49}", "2 to 50 lower-case letters, digits or '-'", "westeurope");
    static final Form RESOURCE_GROUP = new Form(
            "resource group",
            "[A-Za-z0-9_.()-]{0,89}[A-Za-z0-9_()-]",
            "1 to 90 letters, digits or '_.()-', not ending with '.'",
            "cluster-rg");
    private static final Form LABEL =
            new Form("name", "[A-Za-z0-9][A-Za-z0-9._-]{0,79}", "1 to 80 letters, digits or '._-'", "install-app");
    static final Form VERSION =
            new Form("version", "[A-Za-z0-9][A-Za-z0-9._+~:-]{0,79}", "1 to 80 letters, digits or '._+~:-'", "4.1");
    static final Form PACKAGE = new Form(
            "package name",
            "[A-Za-z0-9][A-Za-z0-9.+_:=~*-]{0,199}",
            "1 to 200 letters, digits or '.+_:=~*-', starting with a letter or digit",
            "nfs-common");
    static final Form PATH = new Form("path", TEXT + "{1,4096}", "1 to 4096 printable characters", "./file");
    static final Form ABSOLUTE_PATH = new Form(
            "path on a node",
            "(/|[A-Za-z]:\\\\)" + TEXT + "{1,4096}",
            "an absolute path of printable characters",
            "/opt/app/solver.conf");
    static final Form FILE_ON_NODE = new Form(
            "path of a file on a node",
            "(?!/var/lib/clusterwright/)(?!.*[/\\\\]\\.{0,2}([/\\\\]|$))(/|[A-Za-z]:\\\\)" + TEXT + "{0,4095}[^/\\\\"
                    + CONTROL + "]",
            "an absolute path of printable characters that ends with the name of the file, without '//', '/./' and"
                    + " '/../', outside of /var/lib/clusterwright",
            "/opt/app/solver.conf");
    static final Form WINDOWS_PROGRAM = new Form(
            "path of a program",
            "(/|[A-Za-z]:\\\\)[ -~&&[^<>\"|?*]]{1,4096}",
            "an absolute path of ASCII characters without <>\"|?*",
            "C:\\mpi\\app.exe");
    static final Form ADDRESS_PATTERN = new Form(
            "range of accepted host keys",
            "(" + OCTET + "\\.){3}\\*|(" + OCTET + "\\.){2}\\*(\\.\\*)?|" + OCTET + "(\\.\\*){1,3}|" + ADDRESS
                    + "(/([89]|[12]\\d|3[0-2]))?",
            "an address, an address range, or an address that ends with '*'",
            "10.32.0.*");
    static final Form PRESET = new Form(
            "MPI preset",
            "[a-z0-9][a-z0-9.-]{0,39}(/[a-z0-9][a-z0-9.-]{0,39})?",
            "auto, or a flavour and a fabric",
            "open-mpi/ucx");
    private static final Form VARIABLE =
            new Form("environment variable", "[A-Za-z_][A-Za-z0-9_]{0,199}", "letters, digits or '_'", "UCX_LOG_LEVEL");
    private static final Form VALUE = new Form("value", TEXT + "{0,4096}", "up to 4096 printable characters", "warn");
    private static final Form TAG = new Form(
            "tag name", "[^<>%&?/\\\\" + CONTROL + "]{1,512}", "1 to 512 characters without <>%&\\?/", "project");
    private static final Form TAG_VALUE =
            new Form("tag value", TEXT + "{0,256}", "up to 256 printable characters", "wing-flow");
    static final Form CODE =
            new Form("finding code", "[A-Za-z0-9-]{1,40}", "1 to 40 letters, digits or '-'", "CW-FABRIC-003");
    static final Form SHA256 =
            new Form("SHA-256", "[0-9a-fA-F]{64}", "64 hexadecimal digits", "0123456789abcdef".repeat(4));
    static final Form UUID = new Form(
            "id",
            "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
            "32 hexadecimal digits in five groups",
            "00000000-0000-0000-0000-000000000000");
    static final Form STORAGE_ACCOUNT =
            new Form("storage account", "[a-z0-9]{3,24}", "3 to 24 lower-case letters or digits", "hpc1store");
    private static final String DAY = "(mon|tue|wed|thu|fri|sat|sun)";
    private static final String TIME = "([01]\\d|2[0-3]):[0-5]\\d";
    static final Form HOURS = new Form(
            "hours of burst nodes",
            DAY + "([,-]" + DAY + ")* " + TIME + "-" + TIME,
            "days, a blank, and two times of a day",
            "mon-fri 08:00-18:00");
    static final Form DOMAIN = new Form(
            "domain", "[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63}){1,7}", "labels separated by dots", "hpc.local");
    static final Form HEAD_NODE = new Form(
            "address of a head node",
            "https://[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(:[0-9]{1,5})?|http://(localhost|127\\.0\\.0\\.1)(:[0-9]{1,5})?",
            "https:// and a full name, with a port where it is not 443; http:// on loopback only",
            "https://head.hpc.example");
    static final Form HEAD_NODE_USER = new Form(
            "account of a head node",
            "[^:" + CONTROL + "]{1,256}",
            "DOMAIN\\user or user@domain, without ':'",
            "HPC\\hpcuser");
    static final Form HPC_PACK_NAME =
            new Form("HPC Pack cluster name", "[a-z0-9]{3,12}", "3 to 12 lower-case letters and digits", "hpc1");
    static final Form THUMBPRINT = new Form(
            "thumbprint", "[0-9A-Fa-f]{40}", "40 hexadecimal digits", "0123456789ABCDEF0123456789ABCDEF01234567");
    static final Form PROVIDER =
            new Form("provider", "[a-z][a-z0-9-]{0,39}", "1 to 40 lower-case letters, digits or '-'", "local");
    static final Form NETWORK_NAME = resourceName("network name", 64);
    static final Form SUBNET_NAME = resourceName("subnet name", 80);
    static final Form SUBNET_ID = new Form(
            "id of a subnet",
            "(?i:/subscriptions/[0-9a-f-]{36}/resourceGroups/[^/]{1,90}/providers/Microsoft\\.Network/virtualNetworks/)"
                    + "[^/]{1,64}(?i:/subnets/)[^/]{1,80}",
            "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/NETWORK/subnets/SUBNET",
            "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/net/providers/Microsoft.Network"
                    + "/virtualNetworks/hub/subnets/hpc");
    private static final Set<String> SCHEMES = Set.of("http", "https", "file");

    private Checks() {}

    static String label(String what, String value) {
        return LABEL.as(what).check(value);
    }

    static void variable(String name) {
        VARIABLE.check(name);
    }

    static void variableValue(String name, String value) {
        VALUE.as("value of " + name).check(value);
    }

    static void tag(String name) {
        if (TAG.check(name).toLowerCase(Locale.ROOT).startsWith(OWN_TAGS)) {
            throw new InvalidValueException(
                    "tag name",
                    name,
                    "a name that does not begin with " + OWN_TAGS + ", as the library's tags do",
                    "project");
        }
    }

    static void tagValue(String name, String value) {
        TAG_VALUE.as("value of tag " + name).check(value);
    }

    static String sha256(String value) {
        return SHA256.check(value).toLowerCase(Locale.ROOT);
    }

    static String thumbprint(String value) {
        return THUMBPRINT.check(value).toUpperCase(Locale.ROOT);
    }

    private static Form resourceName(String what, int longest) {
        String allowed = "1 to " + longest + " letters, digits or '._-', starting with a letter or digit";
        String pattern = "[A-Za-z0-9]([A-Za-z0-9._-]{0," + (longest - 2) + "}[A-Za-z0-9_])?";
        return new Form(what, pattern, allowed, "cluster-vnet");
    }

    static String prefix(String value) {
        new NamePattern(value, 1);
        return value;
    }

    static String netmask(String value) {
        String[] parts = value.split("/", -1);
        boolean good = parts.length == 2 && parts[0].matches(ADDRESS) && value.length() <= 31 && isMask(parts[1]);
        if (!good) {
            throw new InvalidValueException(
                    "netmask", value, "an address, '/', and a mask or 1 to 31 bits", "172.16.0.0/255.255.0.0");
        }
        return value;
    }

    private static boolean isMask(String mask) {
        if (mask.matches("[1-9]|[12]\\d|3[01]")) {
            return true;
        }
        if (!mask.matches(ADDRESS)) {
            return false;
        }
        int bits = ~Ipv4Address.of(mask).bits();
        return bits > 0 && (bits & bits + 1) == 0;
    }

    static URI location(String value) {
        String allowed = "an http, https or file URL, or a path without blanks";
        try {
            URI location = new URI(PATH.as("archive location").check(value));
            String scheme = location.getScheme();
            if (scheme == null || SCHEMES.contains(scheme)) {
                return location;
            }
        } catch (URISyntaxException e) {
            // Refused below, like a URL of another kind.
        }
        throw new InvalidValueException("archive location", value, allowed, "https://example.org/mpi.tgz");
    }

    static double range(String what, double value) {
        if (!(value >= 0.001 && value <= 1e9)) {
            Object given = Double.isFinite(value) ? BigDecimal.valueOf(value).toPlainString() : value;
            throw new InvalidValueException(what, given, "0.001 to 1000000000", "3");
        }
        return value;
    }

    static long bytes(long value) {
        if (value < 0) {
            throw new InvalidValueException("number of bytes", value, "0 or more", "512");
        }
        return value;
    }

    static BigDecimal money(String what, BigDecimal value) {
        if (value.signum() <= 0 || value.scale() > 4 || value.compareTo(BigDecimal.valueOf(1_000_000_000)) > 0) {
            throw new InvalidValueException(
                    what,
                    Math.abs(value.scale()) > 40 ? value : value.toPlainString(),
                    "an amount above 0 and up to 1000000000 with at most 4 decimals",
                    "1.20");
        }
        BigDecimal plain = value.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0) : plain;
    }

    static Duration positive(String what, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0 || value.toMillis() == 0) {
            throw new InvalidValueException(
                    what, value.isNegative() ? value : Durations.print(value), "1 ms to 3650 days", "20m");
        }
        return Duration.ofMillis(value.toMillis());
    }

    /** An expression that a value must match, with its name, its description and an example. */
    record Form(String what, Pattern pattern, String allowed, String example) {
        Form(String what, String pattern, String allowed, String example) {
            this(what, Pattern.compile(pattern), allowed, example);
        }

        String regex() {
            return pattern.pattern();
        }

        Form as(String other) {
            return new Form(other, pattern, allowed, example);
        }

        String check(String value) {
            if (!pattern.matcher(value).matches()) {
                throw new InvalidValueException(what, value, allowed, example);
            }
            return value;
        }
    }

    /** Refuses the name of a provider that is nearly the name of one of this library; programs may have others. */
    static void provider(String name) {
        ProviderNames.requireSpelt(PROVIDER.check(name));
    }

    /** Reports more tags than a resource holds, and names that Azure takes as one. */
    static void tagNames(Map<String, String> tags, Problems problems) {
        Map<String, String> names = new HashMap<>();
        tags.keySet().forEach(name -> {
            String first = names.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
            if (first != null) {
                problems.add(
                        "tags." + name,
                        "the tags " + first + " and " + name + " differ only in case, and Azure takes them as one tag",
                        "remove one of them");
            }
        });
        if (tags.size() > MOST_TAGS) {
            problems.add(
                    "tags",
                    "there are " + tags.size() + " tags, and a resource holds " + MOST_TAGS
                            + " beside the library's tags",
                    "remove " + (tags.size() - MOST_TAGS) + " tags");
        }
    }
}
