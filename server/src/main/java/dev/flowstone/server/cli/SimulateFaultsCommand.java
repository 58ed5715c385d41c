package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.testkit.simulation.FaultSimulator;
import dev.flowstone.testkit.simulation.Plan;
import dev.flowstone.testkit.simulation.SimulationReport;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code simulate-faults}: whether the engine keeps its promises whatever goes wrong. The simulating is the testkit's. */
@Command(
        name = "simulate-faults",
        header = "Play random runs in which everything goes wrong, and check every rule.",
        description =
                "One thread, in memory, in virtual time; the production engine. Prints the seed that breaks a rule,"
                        + " made small, and the command that plays it again.",
        footer = {
            "",
            "Examples:",
            "  flowstone simulate-faults --seeds 20000",
            "  flowstone simulate-faults --seed 4711",
            "  flowstone simulate-faults --seed 4711 --steps 3,17-20 --json",
            "",
            Exit.HELP
        })
final class SimulateFaultsCommand implements Callable<Integer> {
    private static final long USUAL_SEEDS = 2_000;

    private final Terminal terminal;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many seeds to play (default: " + USUAL_SEEDS + "; 1 if --seed is given).")
    private @Nullable Long seeds;

    @Option(names = "--seed", paramLabel = "S", description = "The first of them (default: 0).")
    private @Nullable Long seed;

    @Option(names = "--steps", paramLabel = "A-B,C", description = "Play only these steps of the one seed.")
    private @Nullable String steps;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    SimulateFaultsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws UsageException {
        SimulationReport report = steps == null ? play() : replay(steps);
        if (json) {
            terminal.out().println(CanonicalJson.exactText(report.toJson()));
        } else {
            report.lines().stream().map(Printable::text).forEach(terminal.out()::println);
        }
        return report.passed() ? Exit.SUCCEEDED : Exit.FAILED;
    }

    private SimulationReport play() throws UsageException {
        long count = seeds != null ? seeds : seed != null ? 1 : USUAL_SEEDS;
        if (count < 1) {
            throw new UsageException("--seeds takes a number from 1");
        }
        try (ProgressLine progress = new ProgressLine(terminal)) {
            FaultSimulator simulator = new FaultSimulator(
                    Tampering.NONE,
                    report -> progress.show(String.format(
                            Locale.ROOT,
                            "%,d of %,d seeds, %,d runs, %,d events",
                            report.seeds(),
                            count,
                            report.runs(),
                            report.events())));
            return simulator.run(seed == null ? 0 : seed, count);
        }
    }

    private SimulationReport replay(String some) throws UsageException {
        if (seed == null || seeds != null) {
            throw new UsageException("--steps are those of one --seed");
        }
        try {
            return FaultSimulator.quiet().replay(Plan.of(seed, some));
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
