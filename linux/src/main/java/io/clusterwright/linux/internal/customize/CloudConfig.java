package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.LimitsConf;
import io.clusterwright.linux.SystemdLimits;
import io.clusterwright.linux.UneditableFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * User data with which a machine customises itself when it first starts, for machines that are made with other tools.
 * It holds no secret, and so no private key.
 *
 * @param text a cloud-config
 * @param notes omissions and remarks
 */
public record CloudConfig(String text, List<String> notes) {
    /** The longest user data that Azure takes, in bytes. */
    private static final int LONGEST = 64 * 1024 - 1;

    private static final String FOLDER = "/var/lib/clusterwright/";
    private static final FileMode PROGRAM = FileMode.parse("0755");
    private static final FileMode TEXT = FileMode.parse("0644");

    /** The user data of all nodes. */
    public static CloudConfig of(RenderInput input) {
        return new Making(input).make();
    }

    /** Builds one. */
    private static final class Making {
        private final RenderInput input;
        private final Customization wanted;
        private final CloudInit.Builder config = CloudInit.builder();
        private final CustomizeScript script = new CustomizeScript();
        private final List<String> notes = new ArrayList<>();

        Making(RenderInput input) {
            this.input = input;
            this.wanted = input.spec().image().customize();
        }

        CloudConfig make() {
            accounts();
            if (!wanted.packages().isEmpty()) {
                config.packages(wanted.packages());
            }
            script.update(wanted.updates());
            wanted.mpi().ifPresent(mpi -> notes.addAll(script.mpi(mpi)));
            memlock();
            trust();
            scheduler();
            files();
            scripts();
            if (!script.isEmpty()) {
                config.addFile(FOLDER + "customize.sh", script.text(), PROGRAM)
                        .addCommand(List.of(FOLDER + "customize.sh"));
            }
            String text = commented(config.build().text().reveal());
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST) {
                notes.add(
                        "it has " + bytes + " bytes, and Azure takes at most " + LONGEST
                                + " of custom data: compress it with gzip, which cloud-init reads as well, or put large files elsewhere");
            }
            return new CloudConfig(text, List.copyOf(notes));
        }

        private String commented(String text) {
            int body = text.indexOf('\n') + 1;
            StringBuilder commented = new StringBuilder(text.substring(0, body));
            commented
                    .append("# Does on each node of cluster ")
                    .append(input.spec().name())
                    .append(" what image.customize says.\n");
            notes.forEach(note -> commented.append("# Note: ").append(note).append('\n'));
            String rest = text.substring(body);
            return commented
                    .append(rest.equals("{}\n") ? "{} # image.customize asks for nothing\n" : rest)
                    .toString();
        }

        private void accounts() {
            UserName login = input.spec().login().user();
            List<SshPublicKey> keys = new ArrayList<>(input.spec().login().publicKeys());
            input.accountKeys().stream()
                    .filter(key -> keys.stream().noneMatch(key::sameKey))
                    .forEach(keys::add);
            Optional<UserAccount> jobs =
                    wanted.user().filter(account -> !account.name().equals(login));
            if (keys.isEmpty()) {
                notes.add(
                        "no account for log-ins is set up, because no public key is known: give login.publicKeys, or let the cloud"
                                + " make " + login + " with a key of yours");
            } else {
                List<GroupName> groups = wanted.user()
                        .filter(account -> account.name().equals(login))
                        .map(UserAccount::groups)
                        .orElse(List.of());
                config.addUser(login, groups, keys);
            }
            jobs.ifPresent(account -> config.addAccount(account.name(), account.groups(), keys));
        }

        private void memlock() {
            if (wanted.memlock().isEmpty()) {
                return;
            }
            LimitsConf limits = Memlock.limits(wanted.memlock());
            config.addFile(Memlock.LAST_PATH, limits.text(), TEXT)
                    .addFile(
                            SystemdLimits.MANAGER_PATH,
                            new SystemdLimits(Memlock.highest(limits)).managerDropIn(),
                            TEXT);
            script.reloadServiceLimits();
        }

        private void trust() {
            if (wanted.ssh().trust() != SshTrust.Trust.NONE) {
                notes.add("trust between the nodes (image.customize.ssh.trust: "
                        + wanted.ssh().trust()
                        + ") is not set up, because it needs private keys, which this file must not hold: put a key pair"
                        + " into ~/.ssh of "
                        + input.spec().mpiUser() + " on every node, and its public half into authorized_keys");
            }
        }

        private void scheduler() {
            if (input.spec().scheduler() == Scheduler.SLURM) {
                notes.add(
                        "Slurm is not set up, because its services need a common key, which this file must not hold, and a"
                                + " configuration that names all nodes: install and configure it by hand, or let create do it");
            }
        }

        private void files() {
            List<FileCopy> files = wanted.files();
            for (int i = 0; i < files.size(); i++) {
                FileCopy file = files.get(i);
                String path = "image.customize.files[" + i + "]";
                put(path + ".from", file.from(), file.to(), file.mode());
            }
        }

        private void scripts() {
            List<Script> scripts = wanted.scripts();
            for (int i = 0; i < scripts.size(); i++) {
                Script one = scripts.get(i);
                String field = "image.customize.scripts[" + i + "].path";
                String there = FOLDER + "scripts/" + (i + 1) + "-" + one.name();
                byte[] content = put(field, one.path(), there, PROGRAM);
                if (content.length > 0) {
                    ScriptRuns.interpreterProblem(content).ifPresent(problem -> {
                        throw refusal(
                                field,
                                "script " + one.name() + " (" + one.path() + ") " + problem,
                                "correct its first line");
                    });
                    String user =
                            one.sudo() ? "root" : input.spec().login().user().value();
                    script.run(one.name(), there, Math.max(1, one.timeout().toSeconds()), user);
                }
            }
        }

        /** Puts a file of this machine into the user data; answers its bytes, or none when it is too long for that. */
        private byte[] put(String field, String from, String to, FileMode mode) {
            Path local = input.spec().resolve(from);
            try (InputStream in = Files.newInputStream(local)) {
                byte[] content = in.readNBytes(LONGEST + 1);
                if (content.length > LONGEST) {
                    notes.add(from + " is too long for user data, which holds " + LONGEST + " bytes: put it at " + to
                            + " on every node" + (mode == PROGRAM ? ", and run it there" : ""));
                    return new byte[0];
                }
                config.addFile(to, content, mode);
                return content;
            } catch (IOException e) {
                throw refusal(
                        field,
                        "cannot read " + local + ": " + e,
                        "name a file that is there; a relative path starts where the spec lies");
            } catch (UneditableFileException e) {
                throw refusal(field, String.valueOf(e.getMessage()), "leave the file out");
            }
        }

        private static InvalidSpecException refusal(String field, String message, String remedy) {
            return new InvalidSpecException(List.of(SpecProblem.of(field, message, remedy)));
        }
    }

    /** Copies the list. */
    public CloudConfig {
        notes = List.copyOf(notes);
    }
}
