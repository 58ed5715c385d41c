package dev.flowstone.server.cli;

import dev.flowstone.bench.peer.Peers;
import dev.flowstone.bench.report.Summary;
import dev.flowstone.bench.workload.BenchOptions;
import dev.flowstone.bench.workload.BenchSizes;
import dev.flowstone.bench.workload.Workload;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
            "  flowstone bench sequence --seconds 20 --inflight 8 --json",
            "  flowstone bench sequence --open 500",
            "  flowstone bench decide",
            "  flowstone bench soak --seconds 1800 --html soak.html",
            "  flowstone bench all --json --results bench/results",
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
                "sequence-8: the same with eight in flight, beside as many bare commits.",
                "fan-out: runs of one step, ten beside each other, and one that joins them.",
                "dag-deep, dag-wide: runs of 1,000 steps, one after another, and beside each other.",
                "dag-fifty: runs of 50 workflows of 100 steps, in turns, 50 in flight.",
                "start: durable start calls over REST.",
                "webhooks: 1,000 signed deliveries a second over REST, each of which starts a run.",
                "approve: people's decisions over REST, until the run has moved.",
                "signal: signals over REST, until the run has moved.",
                "flood: far more starts over REST than can be made, beside a tenant that calls as before.",
                "remote: runs of five no-op tasks, done by a worker in another process, over HTTP.",
                "timers: timers that are due steadily, and very many due in the same second.",
                "resume: buffered input of one shard, once it is let go.",
                "payload: steps that answer 1 KiB, 64 KiB and 1 MiB.",
                "snapshot: a sequence where a report keeps a snapshot open, in turns with one where none does;"
                        + " exits 1 if less than three quarters of the rate are kept.",
                "full: a database of a million runs beside an empty one.",
                "flat: one run of 100,000 events, up to 100,000 runs that wait, runs of up to 10,000 elements.",
                "all: every one of these, one after another; several minutes each, an hour in all.",
                "tenants: a quiet tenant alone and beside one that offers a hundred times as much;"
                        + " exits 1 if its p95 is then more than twice as long.",
                "nodes: one, two and three servers on one database, each a process of its own, beside the capacity model.",
                "schedules: 10,000 schedules that fire at the same second, until the last execution has started.",
                "soak: an even load for as long as --seconds says, at half of the most; what grows over its second half.",
                "decide: what the kernel's decisions cost, without a database; exits 1 if a step costs more the longer a run is."
            })
    private String name = "";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long to measure (default: ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description =
                    "Seconds of load before anything is counted (default: 6; for the sequence of all, and beside peers, 60 at least).")
    private @Nullable Integer warmUp;

    @Option(
            names = "--inflight",
            paramLabel = "N",
            description = "Runs or callers at once (default: what is best here).")
    private @Nullable Integer inflight;

    @Option(
            names = "--open",
            paramLabel = "RATE",
            description =
                    "Offer so many runs a second, whatever becomes of them (sequence, fan-out, remote, soak, tenants).")
    private @Nullable Double open;

    @Option(
            names = "--storm",
            paramLabel = "N",
            description = "timers: how many are due in one second (default: 100000).")
    private @Nullable Integer storm;

    @Option(names = "--finished", paramLabel = "N", description = "full: how many runs are over (default: 1000000).")
    private @Nullable Integer finished;

    @Option(names = "--waiting", paramLabel = "N", description = "full, flat: how many runs wait (default: 100000).")
    private @Nullable Integer waiting;

    @Option(names = "--events", paramLabel = "N", description = "flat: how long its long run gets (default: 100000).")
    private @Nullable Integer events;

    @Option(names = "--elements", paramLabel = "N", description = "flat: how wide its wide run is (default: 10000).")
    private @Nullable Integer elements;

    @Option(
            names = "--pgbouncer",
            description = "Through a PgBouncer of its own that pools by transaction, instead of directly.")
    private boolean pgbouncer;

    @Option(
            names = "--short",
            description = "Hardly anything of everything, to see that it works: such figures say nothing.")
    private boolean shortest;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Draw throughput and latency over time into this file.")
    private @Nullable Path html;

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Keep the JSON object and the drawing in this folder, by benchmark and time.")
    private @Nullable Path results;

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description =
                    "all, sequence: also measure other engines, by the harness in this folder, right after the sequence.")
    private @Nullable Path peers;

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "dbos",
            description = "Which of them (default: ${DEFAULT-VALUE}).")
    private List<String> peer = List.of("dbos");

    BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        BenchOptions options = options();
        List<Workload> workloads = Benchmarks.named(name, options);
        if (workloads.isEmpty() && inflight != null) {
            throw new UsageException("'bench decide' decides one command at a time; leave --inflight out");
        }
        Optional<Peers> beside = peers(options);
        Instant begin = Instant.now();
        try (ProgressLine progress = new ProgressLine(terminal)) {
            Summary summary = workloads.isEmpty()
                    ? new Summary(List.of(Benchmarks.decide(options.measure(), progress::show)), JsonObject.EMPTY)
                    : Benchmarks.measure(
                            store.config(),
                            pgbouncer,
                            workloads,
                            options,
                            beside,
                            progress::show,
                            listener(progress, begin));
            progress.clear();
            print(summary);
            keep(summary, begin);
            return summary.sound() ? Exit.SUCCEEDED : Exit.FAILED;
        }
    }

    /** Of several, each is told as it comes, and kept, where nobody waits for one object only. */
    private Benchmarks.Listener listener(ProgressLine progress, Instant begin) {
        return new Benchmarks.Listener() {
            @Override
            public void begins(String which, int number, int of) {
                if (of > 1) {
                    progress.clear();
                    terminal.err().println(which + ": " + number + " of " + of);
                }
            }

            @Override
            public void found(Summary sofar) throws IOException {
                progress.clear();
                if (name.equals(Benchmarks.ALL)) {
                    terminal.err().println(sofar.table().getLast());
                    keep(sofar, begin);
                }
            }
        };
    }

    private Optional<Peers> peers(BenchOptions options) throws UsageException {
        if (peers == null) {
            return Optional.empty();
        }
        if (!Benchmarks.COMPARED.contains(name)) {
            throw new UsageException("--peers is for " + String.join(", ", Benchmarks.COMPARED));
        }
        Peers there = new Peers(peers, peer, options.sustained().measure());
        if (!there.present()) {
            throw new UsageException("there is no run-all.sh in " + peers + ", by which peers are measured");
        }
        return Optional.of(there);
    }

    private BenchOptions options() throws UsageException {
        atLeastOne("--seconds", seconds);
        Duration measure = Duration.ofSeconds(seconds);
        BenchOptions options = shortest ? BenchOptions.shortest(measure) : BenchOptions.of(measure);
        BenchSizes sizes = options.sizes();
        if (storm != null) {
            atLeastOne("--storm", storm);
            sizes = sizes.withStorm(storm);
        }
        if (finished != null || waiting != null) {
            int over = finished == null ? sizes.finished() : finished;
            int open = waiting == null ? sizes.waiting() : waiting;
            atLeastOne("--finished", over);
            atLeastOne("--waiting", open);
            sizes = sizes.withFull(over, open);
        }
        if (events != null || elements != null) {
            int longest = events == null ? sizes.events() : events;
            int widest = elements == null ? sizes.elements() : elements;
            atLeastOne("--events", longest);
            atLeastOne("--elements", widest);
            sizes = sizes.withFlat(longest, widest);
        }
        if (warmUp != null) {
            atLeastOne("--warm-up", warmUp);
            options = options.withWarmUp(Duration.ofSeconds(warmUp));
        }
        if (inflight != null) {
            atLeastOne("--inflight", inflight);
            options = options.withInflight(inflight);
        }
        if (open != null) {
            if (!(open > 0)) {
                throw new UsageException("--open takes a rate above 0");
            }
            options = options.withOffered(open);
        }
        return options.withSizes(sizes);
    }

    private static void atLeastOne(String option, int value) throws UsageException {
        if (value < 1) {
            throw new UsageException(option + " takes a number from 1");
        }
    }

    private void print(Summary summary) {
        if (json) {
            terminal.out().println(text(summary));
        } else {
            summary.lines().forEach(terminal.out()::println);
        }
    }

    private String text(Summary summary) {
        return CanonicalJson.exactText(
                name.equals(Benchmarks.DECIDE) ? summary.reports().getFirst().toJson() : summary.toJson());
    }

    private void keep(Summary summary, Instant begin) throws IOException {
        ResultFiles files = new ResultFiles(Optional.ofNullable(html), Optional.ofNullable(results));
        files.keep(name, begin, text(summary), summary.toHtml());
        if (name.equals(Benchmarks.ALL) && results != null) {
            Files.writeString(results.resolve("index.html"), summary.toHtml());
        }
    }
}
