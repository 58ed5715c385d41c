package dev.flowstone.postgres.embedded;

import com.sun.security.auth.module.UnixSystem;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * As whom the server runs. PostgreSQL refuses root, so root has two ways, tried in this order:
 *
 * <ol>
 *   <li>{@code unshare -U}: a user namespace in which the process isn't root while the kernel still lets it use root's
 *       files. Nothing changes hands, and directories under {@code /root} work.
 *   <li>{@code setpriv} to {@code nobody}, which then owns the cluster; it keeps the capability to pass directories that
 *       others can't enter. For containers that forbid user namespaces.
 * </ol>
 *
 * <p>A cluster that exists keeps the way it was made with, which its owner tells.
 *
 * @param prefix what stands before each of the server's commands
 * @param owner who must own the cluster's files, if not this process's user
 */
record Identity(List<String> prefix, Optional<String> owner) {
    private static final String NOBODY = "nobody";
    private static final Identity OURSELVES = new Identity(List.of(), Optional.empty());
    private static final Identity NAMESPACE = new Identity(List.of("unshare", "-U"), Optional.empty());
    private static final Identity SWITCHED = new Identity(
            List.of(
                    "setpriv",
                    "--reuid=" + NOBODY,
                    "--clear-groups",
                    "--inh-caps=+dac_override",
                    "--ambient-caps=+dac_override"),
            Optional.of(NOBODY));

    static Identity choose(Path directory, Path cluster) throws IOException, StartFailed {
        if (!isRoot()) {
            return OURSELVES;
        }
        if (Platform.current().system().equals("darwin")) {
            throw new StartFailed(
                    "PostgreSQL does not run as root: start Flowstone as an ordinary user, or use --db with"
                            + " a PostgreSQL of your own");
        }
        boolean exists = Files.exists(cluster);
        String owner = exists ? Files.getOwner(cluster).getName() : "";
        if ((!exists || owner.equals("root")) && NAMESPACE.works(directory)) {
            return NAMESPACE;
        }
        if (SWITCHED.works(directory)) {
            return SWITCHED;
        }
        throw new StartFailed("PostgreSQL does not run as root, and neither `unshare -U` nor `setpriv` (util-linux) can"
                + " give it another identity here: start Flowstone as an ordinary user, or use --db with a PostgreSQL of"
                + " your own");
    }

    /** Whether a program under this identity isn't root and may write where the cluster goes. */
    private boolean works(Path directory) throws IOException {
        Path probe = Files.createTempDirectory(directory, ".identity-");
        try {
            Files.setPosixFilePermissions(probe, PosixFilePermissions.fromString("rwx------"));
            if (owner.isPresent()) {
                Trees.chown(probe, owner.get());
            }
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of("sh", "-c", "test \"$(id -u)\" != 0 && : > \"$PROBE/file\""));
            Command.Result result = Command.run(command, directory, Map.of("PROBE", probe.toString()));
            return result.exitCode() == 0;
        } catch (IOException e) {
            return false; // no such program
        } finally {
            Trees.delete(probe);
        }
    }

    /** Capabilities let another user pass any directory but not run a program there: {@code access(2)} forgets them. */
    boolean mayRunFrom(Path place) throws IOException {
        if (owner.isEmpty()) {
            return true;
        }
        for (Path folder = place.toRealPath(); folder != null; folder = folder.getParent()) {
            if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name")) && effectivelyRoot();
    }

    private static boolean effectivelyRoot() {
        return new UnixSystem().getUid() == 0;
    }
}
