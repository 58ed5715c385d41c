package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Processor time of a server on this machine, all its processes together; on Linux, where {@code /proc} tells of them. */
public final class ServerCpu {
    private static final Path PROC = Path.of("/proc");

    /** Of which a second has a hundred, whatever the kernel's own tick is: what it shows to programs. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** How often to look at most: connections may come and go all the time. */
    private static final int LOOKS = 100;

    private static final String WHERE = "SELECT pg_backend_pid(), host(inet_server_addr())";

    private final long postmaster;

    private ServerCpu(long postmaster) {
        this.postmaster = postmaster;
    }

    /** Asks the server, as the administrator; empty if it runs elsewhere, or nobody here tells of processes. */
    public static Optional<ServerCpu> of(PostgresConfig config) throws JournalException {
        Login admin = config.admin();
        Database database = new Database(Pools.single(config, admin.user(), admin.password()));
        return database.query(WHERE, query -> {}, row -> {
                    long backend = row.getLong(1);
                    return isHere(row.getString(2)) ? Stat.of(backend) : Optional.<Stat>empty();
                })
                .getFirst()
                .filter(Stat::isServer)
                .map(stat -> new ServerCpu(stat.parent()));
    }

    /** No address is a socket of this machine. */
    private static boolean isHere(@Nullable String address) {
        try {
            return address == null || NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
        } catch (UnknownHostException | SocketException e) {
            return false;
        }
    }

    /** What it has taken so far, processes that have ended included. */
    public Duration soFar() {
        // One that ends while the others are looked at is counted twice, or not at all: once more then.
        for (int looks = 1; ; looks++) {
            long ended = ended();
            long living = living();
            if (ended() == ended || looks == LOOKS) {
                return TICK.multipliedBy(living + ended);
            }
        }
    }

    /** Of those that have ended, as their parent counts them. */
    private long ended() {
        return Stat.of(postmaster).map(Stat::ended).orElse(0L);
    }

    private long living() {
        try (Stream<Path> processes = Files.list(PROC)) {
            return processes
                    .map(folder -> PROC.relativize(folder).toString())
                    .flatMapToLong(name -> number(name).stream())
                    .mapToObj(Stat::of)
                    .flatMap(Optional::stream)
                    .filter(stat -> stat.process() == postmaster || stat.parent() == postmaster)
                    .mapToLong(Stat::ticks)
                    .sum();
        } catch (IOException e) {
            throw new IllegalStateException("processes can't be listed any more", e);
        }
    }

    private static OptionalLong number(String name) {
        return name.chars().allMatch(Character::isDigit) ? OptionalLong.of(Long.parseLong(name)) : OptionalLong.empty();
    }

    /**
     * What is known of a process.
     *
     * @param ticks of processor time that it took itself
     * @param ended those of its children that have ended
     */
    private record Stat(long process, String name, long parent, long ticks, long ended) {
        /** Empty if there is none any more. */
        static Optional<Stat> of(long process) {
            String text;
            try {
                text = Files.readString(PROC.resolve(Long.toString(process)).resolve("stat"));
            } catch (IOException e) {
                return Optional.empty();
            }
            // The name may have blanks and brackets in it, nothing behind it has.
            int end = text.lastIndexOf(')');
            List<String> words = List.of(text.substring(end + 2).split(" ", -1));
            return Optional.of(new Stat(
                    process,
                    text.substring(text.indexOf('(') + 1, end),
                    Long.parseLong(words.get(1)),
                    Long.parseLong(words.get(11)) + Long.parseLong(words.get(12)),
                    Long.parseLong(words.get(13)) + Long.parseLong(words.get(14))));
        }

        boolean isServer() {
            return name.equals("postgres");
        }
    }
}
