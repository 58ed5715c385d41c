package dev.flowstone.server.cli;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.bench.report.Environment;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Summary;
import dev.flowstone.bench.torture.Torture;
import dev.flowstone.bench.torture.TortureOptions;
import dev.flowstone.bench.torture.company.Opened;
import dev.flowstone.bench.torture.fault.FaultKind;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException;
import dev.flowstone.server.node.CannotStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code torture}: whether real processes keep their promises whatever goes wrong. The torturing is the bench module's. */
@Command(
        name = "torture",
        header = "Break everything around three nodes on one database, and check that nothing is lost.",
        description = {
            "Starts a PostgreSQL (--pair: two, of which one takes over), three servers and a worker of its own, runs a load with a ledger, lets one thing after another go",
            "wrong, and holds the ledgers against the histories. It ends by itself, with all that it started.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone torture --short",
            "  flowstone torture --minutes 20 --html torture.html",
            "  flowstone torture --pair --faults failover,switchover --minutes 5",
            "  flowstone torture --minutes 30 --faults kill,pause,database-stop --seed 7 --json",
            "",
            Exit.HELP
        })
final class TortureCommand implements Callable<Integer> {
    private static final double MOST_RATE = 1_000;

    private final Terminal terminal;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "20",
            description = "For how long new faults begin (default: ${DEFAULT-VALUE}).")
    private int minutes = 20;

    @Option(
            names = "--short",
            description = "Each of four faults once, about a minute: kill, pause, database-stop, answer-lost;"
                    + " with --pair failover and switchover.")
    private boolean shortest;

    @Option(
            names = "--faults",
            paramLabel = "KIND",
            split = ",",
            description = "Only these; see docs/torture.md (default: all that can be had here).")
    private List<String> faults = new ArrayList<>();

    @Option(
            names = "--pair",
            description =
                    "On two PostgreSQL servers, of which one takes over when the other dies, as deploy/ha sets them up:"
                            + " takes Debian's patroni, etcd-server and postgresql-15.")
    private boolean pair;

    @Option(names = "--rate", paramLabel = "N", description = "Runs that are started a second (default: 8).")
    private @Nullable Double rate;

    @Option(names = "--seed", paramLabel = "N", description = "Draws the order of the faults, and all else.")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "Draw what happened over time into this file.")
    private @Nullable Path html;

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Keep the JSON object and the drawing in this folder, by time.")
    private @Nullable Path results;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "A new or empty folder for the database, logs and ledgers, which stays"
                    + " (default: one that stays only if something is wrong).")
    private @Nullable Path directory;

    TortureCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        List<FaultKind> kinds = kinds();
        check();
        Instant begin = Instant.now();
        Path folder = folder();
        Summary summary = torture(options(folder, kinds), begin);
        String text = CanonicalJson.exactText(summary.toJson());
        if (json) {
            terminal.out().println(text);
        } else {
            summary.lines().forEach(terminal.out()::println);
        }
        new ResultFiles(Optional.ofNullable(html), Optional.ofNullable(results))
                .keep("torture", begin, text, summary.toHtml());
        if (directory == null && summary.sound()) {
            delete(folder);
        } else {
            terminal.err().println("logs and ledgers: " + folder);
        }
        return summary.sound() ? Exit.SUCCEEDED : Exit.FAILED;
    }

    private Summary torture(TortureOptions options, Instant begin) throws Exception {
        try (ProgressLine progress = new ProgressLine(terminal);
                Stop stop = new Stop(() -> stopping(progress, options.folder()), () -> {})) {
            Opened opened = stop.opening(Opened::new);
            Torture torture = Torture.open(options, opened, progress::show);
            MeasuredReport report = torture.run();
            progress.clear();
            return new Summary(List.of(report), Environment.of(torture.facts(), false, begin));
        } catch (EmbeddedPostgresException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private void stopping(ProgressLine progress, Path folder) {
        progress.clear();
        terminal.err().println("stopping; logs and ledgers: " + folder);
    }

    private List<FaultKind> kinds() throws UsageException {
        List<FaultKind> kinds = new ArrayList<>();
        for (String word : faults) {
            FaultKind kind = FaultKind.of(word)
                    .orElseThrow(() -> new UsageException("there is no fault '" + word + "'; there are " + words()));
            Optional<String> missing = kind.missing(pair);
            if (missing.isPresent()) {
                throw new UsageException("the fault '" + word + "' can't be had here: " + missing.get());
            }
            kinds.add(kind);
        }
        return kinds;
    }

    private static String words() {
        return Arrays.stream(FaultKind.values()).map(FaultKind::word).collect(Collectors.joining(", "));
    }

    private void check() throws UsageException, IOException {
        Optional<String> missing = pair ? DatabasePair.missing() : Optional.empty();
        if (missing.isPresent()) {
            throw new UsageException("--pair can't be had here: " + missing.get());
        }
        if (minutes < 1) {
            throw new UsageException("--minutes takes a number from 1");
        }
        if (rate != null && !(rate > 0 && rate <= MOST_RATE)) {
            throw new UsageException("--rate takes a rate above 0, up to " + (int) MOST_RATE);
        }
        if (directory != null && Files.exists(directory)) {
            if (!Files.isDirectory(directory)) {
                throw new UsageException("--dir takes a folder, and " + directory + " is a file");
            }
            try (Stream<Path> files = Files.list(directory)) {
                if (files.findAny().isPresent()) {
                    throw new UsageException(
                            "--dir takes a new or empty folder, and " + directory + " has something in it");
                }
            }
        }
    }

    private Path folder() throws IOException {
        return directory == null ? Files.createTempDirectory("flowstone-torture") : directory;
    }

    private TortureOptions options(Path folder, List<FaultKind> kinds) {
        String main = Main.class.getName();
        long drawn = seed == null ? System.nanoTime() & Integer.MAX_VALUE : seed;
        TortureOptions options = shortest
                ? TortureOptions.shortest(folder, main, drawn)
                : TortureOptions.of(folder, main, Duration.ofMinutes(minutes), drawn);
        options = pair ? options.onPair() : options;
        options = kinds.isEmpty() ? options : options.withFaults(kinds);
        return rate == null ? options : options.withRate(rate);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
