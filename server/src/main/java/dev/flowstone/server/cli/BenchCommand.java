package dev.flowstone.server.cli;

import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench}: how fast it is here. The measuring is the bench module's; this is its options. */
@Command(
        name = "bench",
        header = "Measure how fast Flowstone is on this machine.",
        footer = {
            "",
            "Examples:",
            "  flowstone bench sequence --seconds 20",
            "  flowstone bench sequence --seconds 20 --inflight 500 --json",
            "  flowstone bench decide",
            "",
            Exit.HELP
        })
final class BenchCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(
            paramLabel = "NAME",
            description = {
                "sequence: runs of five no-op steps, each durable before the next starts.",
                "decide: what the kernel's decisions cost, without a database; exits 1 if a step costs more the longer a run is."
            })
    private String name = "";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long to measure (default: ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(names = "--inflight", paramLabel = "N", description = "Runs at once (default: what is best here).")
    private @Nullable Integer inflight;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (seconds < 1 || (inflight != null && inflight < 1)) {
            throw new UsageException("--seconds and --inflight take a number from 1");
        }
        OptionalInt runs = inflight == null ? OptionalInt.empty() : OptionalInt.of(inflight);
        return Benchmarks.named(name).run(store.config(), seconds, runs, json, terminal);
    }
}
