package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.MpiFlavour;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an installer would ask, answered in the form of a silent configuration file.
 *
 * <p>The defaults are those of Intel MPI 5, {@code install.sh --silent FILE}: the licence is accepted, everything goes to
 * {@code /opt/intel}. Whoever names an archive accepts its licence by that; the answers of the description come last
 * and win.
 */
record InstallerAnswers(Map<String, String> answers) {

    static InstallerAnswers of(MpiFlavour flavour, Map<String, String> given) {
        Map<String, String> answers = new LinkedHashMap<>();
        if (flavour == MpiFlavour.INTEL_MPI) {
            answers.put("ACCEPT_EULA", "accept");
            answers.put("CONTINUE_WITH_OPTIONAL_ERROR", "yes");
            answers.put("CONTINUE_WITH_INSTALLDIR_OVERWRITE", "yes");
            answers.put("PSET_INSTALL_DIR", "/opt/intel");
            answers.put("PSET_MODE", "install");
            answers.put("ACTIVATION_TYPE", "no_license");
            answers.put("ARCH_SELECTED", "ALL");
            answers.put("COMPONENTS", "ALL");
        }
        answers.putAll(given);
        return new InstallerAnswers(answers);
    }

    /** The file, one {@code NAME=value} on a line. */
    String text() {
        StringBuilder text = new StringBuilder();
        answers.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }
}
