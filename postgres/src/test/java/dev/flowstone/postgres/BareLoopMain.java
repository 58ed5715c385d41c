package dev.flowstone.postgres;

import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;

/** Measures by hand: directory, seconds, then pairs of shards and batch. */
final class BareLoopMain {
    private BareLoopMain() {}

    public static void main(String[] args) throws Exception {
        long begin = System.nanoTime();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(Path.of(args[0])))) {
            System.out.printf(
                    "started in %d ms, adopted %s%n", (System.nanoTime() - begin) / 1_000_000, server.adopted());
            begin = System.nanoTime();
            PostgresPorts.open(server.config()).close();
            System.out.printf("opened in %d ms%n", (System.nanoTime() - begin) / 1_000_000);
            for (int i = 2; i < args.length; i += 2) {
                BareLoop.Settings settings = BareLoop.Settings.of(
                        Integer.parseInt(args[i]),
                        Integer.parseInt(args[i + 1]),
                        Duration.ofSeconds(Long.parseLong(args[1])));
                BareLoop.Result result = BareLoop.run(server.config(), settings);
                System.out.printf(
                        "%d x %d: %.0f decisions/s, commits %d, p50 %.2f ms, p95 %.2f ms%n",
                        settings.shards(),
                        settings.batch(),
                        result.decisionsPerSecond(),
                        result.commits(),
                        result.p50().toNanos() / 1e6,
                        result.p95().toNanos() / 1e6);
            }
        }
    }
}
