package io.clusterwright.mpi.internal.render;

/**
 * A version of Intel MPI, whose fabrics changed with it.
 *
 * @param major the year, or 3 to 5 before there were years; 0 when it is not known
 * @param minor what follows; 0 when it is not known
 */
record IntelVersion(int major, int minor) {

    static IntelVersion of(String version) {
        String[] parts = version.split("[^0-9]+");
        return new IntelVersion(number(parts, 0), number(parts, 1));
    }

    private static int number(String[] parts, int index) {
        return parts.length > index && parts[index].matches("[0-9]{1,6}") ? Integer.parseInt(parts[index]) : 0;
    }

    boolean isKnown() {
        return major > 0;
    }

    boolean before(int year) {
        return isKnown() && major < year;
    }

    boolean atLeast(int year, int update) {
        return major > year || major == year && minor >= update;
    }
}
