package dev.flowstone.bench.pair;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine's programs of which a pair is made, and as whom they work. */
final class PairPrograms {
    static final Path ETCD = Path.of("/usr/bin/etcd");
    static final Path PATRONI = Path.of("/usr/bin/patroni");
    static final Path PATRONICTL = Path.of("/usr/bin/patronictl");

    /** As the files of {@code deploy/ha} have it. */
    static final Path POSTGRES = Path.of("/usr/lib/postgresql/15/bin");

    private static final String MISSING = "patroni, etcd or PostgreSQL 15 isn't on this machine:"
            + " apt-get install --no-install-recommends patroni etcd-server postgresql-15, as .ci/run does";

    /** Whom Debian's package of PostgreSQL makes; neither it nor Patroni's files are for root. */
    private static final String USER = "postgres";

    private PairPrograms() {}

    /** What is to be done where one of them isn't. */
    static Optional<String> missing() {
        return Stream.of(ETCD, PATRONI, PATRONICTL, POSTGRES.resolve("postgres"), POSTGRES.resolve("psql"))
                        .allMatch(Files::isExecutable)
                ? Optional.empty()
                : Optional.of(MISSING);
    }

    /** What stands before a command: nothing, unless this process is root's. */
    static List<String> identity() {
        return isRoot() ? List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups", "--") : List.of();
    }

    /** Hands it to whom they work as. */
    static void own(Path path) throws IOException {
        if (isRoot()) {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
        }
    }

    private static boolean isRoot() {
        return new UnixSystem().getUid() == 0;
    }
}
