package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a company is set up.
 *
 * @param folder for everything that it writes
 * @param main class of the command line, whose {@code serve} a node is
 * @param lease after which a silent node's shards go to others
 * @param actions that workers do
 * @param pair whether the database is a pair of servers that fails over
 * @param smallDisk whether the database lies on a small file system in memory
 * @param fakeClocks whether nodes have clocks that can be set
 */
public record CompanyConfig(
        Path folder,
        String main,
        Duration lease,
        List<String> actions,
        boolean pair,
        boolean smallDisk,
        boolean fakeClocks) {
    /** Of every node's settings: where webhooks go. */
    public static final String ENDPOINT = "torture";

    public CompanyConfig {
        folder = folder.toAbsolutePath().normalize();
        requireNonNull(main);
        requireNonNull(lease);
        actions = List.copyOf(actions);
    }

    /** Whether clocks can be set here. */
    public static boolean hasFakeClocks() {
        return FakeClock.library().isPresent();
    }
}
