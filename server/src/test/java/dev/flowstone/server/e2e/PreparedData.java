package dev.flowstone.server.e2e;

import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.postgres.schema.RoleNames;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.testkit.junit.TempDirsInMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Databases as a first start makes them, with this release's schema and nothing in it: made once for the JVM, by the same code, and copied,
 * since each takes seconds.
 */
public final class PreparedData {
    /** By their number of shards. */
    private static final Map<Integer, Path> MADE = new HashMap<>();

    private PreparedData() {}

    /** Where nothing is set but this folder. */
    public static void in(Path data) throws Exception {
        in(FlowstoneConfig.of(Sources.of(Map.of("database.data", data.toString()), Map.of(), Optional.empty()))
                .database());
    }

    /** Puts an embedded database where one would be made; does nothing where there is one, or will be none. */
    public static void in(FlowstoneConfig.Database database) throws Exception {
        boolean usual = database.roles().equals(RoleNames.DEFAULT);
        if (database.url().isEmpty() && usual && !EmbeddedPostgres.exists(EmbeddedConfig.in(database.data()))) {
            Files.createDirectories(database.data());
            copy(made(database.shards()), database.data());
        }
    }

    private static synchronized Path made(int shards) throws Exception {
        Path there = MADE.get(shards);
        if (there == null) {
            there = TempDirsInMemory.directory("flowstone-prepared-");
            try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(there))) {
                PostgresPorts.open(server.config().withShards(shards)).close();
            }
            Path made = there;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
            MADE.put(shards, there);
        }
        return there;
    }

    /** With owners, which may not be this process's. */
    private static void copy(Path from, Path to) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("cp", "-a", from + "/.", to.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("cp ended with " + exit);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> below = Files.walk(folder)) {
            below.sorted(Comparator.reverseOrder()).forEach(path -> {
                boolean _ = path.toFile().delete();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
