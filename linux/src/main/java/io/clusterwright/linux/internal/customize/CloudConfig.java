package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.FileMode;
import io.clusterwright.linux.UneditableFileException;
import io.clusterwright.linux.internal.packages.PackageManager;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * User data with which a machine customises itself when it first starts, for machines that are made with other tools. It holds no secret,
 * and so no private key. The steps that cloud-init cannot express are a script that the machine runs once, as root.
 */
final class CloudConfig {
    static final FileMode PROGRAM = FileMode.of("0755");
    static final FileMode TEXT = FileMode.of("0644");
    static final String FOLDER = "/var/lib/clusterwright/";

    /** The longest user data that Azure takes, in bytes. */
    private static final int LONGEST = 64 * 1024 - 1;

    private static final String START = """
            #!/bin/sh
            # Customises this machine, once. What it prints is in /var/log/cloud-init-output.log.
            set -eu
            export HOME=/root %s
            export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            say() { echo "clusterwright: $*"; }
            fail() {
                echo "clusterwright: $*" >&2
                exit 1
            }
            """.formatted(PackageManager.environments());

    /** zypper says in its exit status that a reboot is due, or that it updated itself and should run again. */
    private static final String ZYPPER = """
            zypper_run() {
                status=0
                zypper --non-interactive "$@" || status=$?
                case $status in
                    0 | 102) ;;
                    103) zypper --non-interactive "$@" || [ $? -eq 102 ] ;;
                    *) fail "zypper $* ended with status $status" ;;
                esac
            }
            """;

    /** The characters that end a comment in YAML 1.1. */
    private static final Pattern LINE_ENDS = Pattern.compile("[\\n\\r\\u0085\\u2028\\u2029]");

    private final RenderInput input;
    private final CloudInit init = new CloudInit();
    private final StringBuilder script = new StringBuilder();
    private final List<String> notes = new ArrayList<>();

    CloudConfig(RenderInput input) {
        this.input = input;
    }

    RenderInput input() {
        return input;
    }

    Customization customization() {
        return input.spec().image().customize();
    }

    /** The part of cloud-init itself. */
    CloudInit init() {
        return init;
    }

    /** Adds an omission or a remark. */
    void note(String note) {
        notes.add(note);
    }

    /** Begins a step of the script. */
    void step(String title, String text) {
        script.append("\nsay ").append(PosixShell.quote(title)).append('\n').append(text);
    }

    /** Begins a step whose lines depend on the package manager: it is chosen on the machine, since an image may be known by its id only. */
    void step(String title, Function<PackageManager, List<String>> lines) {
        step(title, "");
        String keyword = "if";
        for (PackageManager manager : PackageManager.values()) {
            script.append("%s command -v %s >/dev/null; then\n".formatted(keyword, manager.program()));
            lines.apply(manager)
                    .forEach(line -> script.append("    ").append(line).append('\n'));
            keyword = "elif";
        }
        script.append("else\n    fail 'there is neither apt-get, zypper, dnf nor tdnf on this machine'\nfi\n");
    }

    /** A command of a package manager as a line of the script. */
    static String line(List<String> words) {
        return PosixShell.quote(words).replaceFirst("^zypper --non-interactive ", "zypper_run ");
    }

    /** Puts a file of this machine into the user data; answers its bytes, or none when it is too long for that. */
    byte[] put(String field, String from, String to, FileMode mode) {
        Path local = input.spec().resolve(from);
        try (InputStream in = Files.newInputStream(local)) {
            byte[] content = in.readNBytes(LONGEST + 1);
            if (content.length > LONGEST) {
                notes.add(from + " is too long for user data, which holds " + LONGEST + " bytes: put it at " + to
                        + " on every node" + (mode == PROGRAM ? ", and run it there" : ""));
                return new byte[0];
            }
            init.addFile(to, content, mode);
            return content;
        } catch (IOException e) {
            throw refusal(
                    field,
                    "cannot read " + local + ": " + Reason.of(e),
                    "name a file that is there; a relative path starts in the folder of the spec");
        } catch (UneditableFileException e) {
            throw refusal(field, String.valueOf(e.getMessage()), "leave the file out");
        }
    }

    static InvalidSpecException refusal(String field, String message, String remedy) {
        return new InvalidSpecException(List.of(SpecProblem.of(field, message, remedy)));
    }

    /** The file, when every step has been written into it. */
    RenderedFile file() {
        if (!script.isEmpty()) {
            String functions = script.indexOf("zypper_run") < 0 ? START : START + ZYPPER;
            init.addFile(FOLDER + "customize.sh", functions + script + "\nsay 'this machine is customised'\n", PROGRAM)
                    .addCommand(List.of(FOLDER + "customize.sh"));
        }
        String text = commented(init.text().reveal());
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST) {
            notes.add(
                    "it has " + bytes + " bytes, and Azure takes at most " + LONGEST
                            + " of custom data: compress it with gzip, which cloud-init reads as well, or put large files elsewhere");
        }
        RenderedFile file = RenderedFile.text("cloud-init.yaml", text);
        for (String note : notes) {
            file = file.withNote(note);
        }
        return file;
    }

    private String commented(String text) {
        int body = text.indexOf('\n') + 1;
        StringBuilder commented = new StringBuilder(text.substring(0, body));
        commented
                .append("# Does on each node of cluster ")
                .append(input.spec().name())
                .append(" what image.customize says.\n");
        notes.forEach(note -> commented
                .append("# Note: ")
                .append(LINE_ENDS.matcher(note).replaceAll(" "))
                .append('\n'));
        String rest = text.substring(body);
        return commented
                .append(rest.equals("{}\n") ? "{} # image.customize asks for nothing\n" : rest)
                .toString();
    }
}
