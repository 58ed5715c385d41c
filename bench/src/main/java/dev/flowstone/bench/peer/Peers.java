package dev.flowstone.bench.peer;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Other engines on the same machine, right after a {@code sequence}: each does the same five steps, under a harness of its own that
 * lies in a folder with {@code run-all.sh}. The folder is copied first, since the harness builds in its own.
 *
 * @param names of those to measure, as the harness calls them
 * @param measure how long each is counted
 */
public record Peers(Path folder, List<String> names, Duration measure) {
    private static final String SCRIPT = "run-all.sh";
    private static final String OUTPUT = "results.jsonl";
    private static final String BASE = "PEERS_PG_BASE";
    private static final String LOG = "harness.log";
    private static final String WORKLOAD = "sequence-5";

    /** A JVM that was just started is slow: it would flatter us. */
    private static final Duration WARM_UP = Duration.ofSeconds(60);

    /** For building, and for everything that the harness does beside measuring. */
    private static final Duration REST = Duration.ofMinutes(5);

    /** Cores used by anything else, or taken by the host, from which a measurement counts as disturbed. */
    private static final double DISTURBED = 0.25;

    private static final int TOLD = 2_000;

    public Peers {
        requireNonNull(folder);
        names = List.copyOf(names);
        requireNonNull(measure);
    }

    /** Whether the folder has a harness in it. */
    public boolean present() {
        return Files.isRegularFile(folder.resolve(SCRIPT));
    }

    /**
     * Measures them.
     *
     * @param sequence what was found here just before
     */
    public Report beside(Report sequence, Consumer<String> progress) throws IOException, InterruptedException {
        Path copy = Files.createTempDirectory("flowstone-peers");
        try {
            progress.accept("copying the peers' harness");
            copy(folder.toRealPath(), copy);
            run(copy, progress);
            Path output = copy.resolve(OUTPUT);
            List<JsonObject> lines = Files.exists(output) ? read(output) : List.of();
            return report(sequence, names.size(), lines, Files.readString(copy.resolve(LOG)));
        } finally {
            delete(copy);
            delete(Path.of(base(copy)));
        }
    }

    private void run(Path copy, Consumer<String> progress) throws IOException, InterruptedException {
        int port = FreePort.next();
        Duration each = WARM_UP.plus(measure).plus(REST);
        List<String> command = new ArrayList<>(List.of("bash", SCRIPT, OUTPUT));
        command.addAll(names);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(copy.resolve(LOG).toFile());
        builder.environment().put("BENCH_SECS", Long.toString(measure.toSeconds()));
        builder.environment().put("BENCH_WARM", Long.toString(WARM_UP.toSeconds()));
        builder.environment().put("BENCH_ONLY", WORKLOAD);
        builder.environment().put("PEERS_JAVA_OPTS", "-Dbench.only=" + WORKLOAD + " -Dbench.pgport=" + port);
        builder.environment().put("PEER_TIMEOUT", Long.toString(each.toSeconds()));
        // A database server of its own: none that somebody else has started is used, or stopped.
        builder.environment().put(BASE, base(copy));
        builder.environment().put("PEERS_PG_PORT", Integer.toString(port));
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            long end = System.nanoTime() + each.multipliedBy(names.size()).toNanos();
            while (!process.waitFor(1, TimeUnit.SECONDS) && System.nanoTime() < end) {
                progress.accept("measuring " + String.join(", ", names));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            stopServer(copy);
        }
    }

    /** The harness leaves its database server running. */
    private static void stopServer(Path copy) throws IOException, InterruptedException {
        if (Files.exists(copy.resolve("pg/stop.sh"))) {
            ProcessBuilder stop = new ProcessBuilder("bash", "pg/stop.sh")
                    .directory(copy.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(copy.resolve(LOG).toFile()));
            stop.environment().put(BASE, base(copy));
            stop.start().waitFor(1, TimeUnit.MINUTES);
        }
    }

    /** Beside the copy, not in it: the server's user may read it. */
    private static String base(Path copy) {
        return copy.resolveSibling(copy.getFileName() + "-pg").toString();
    }

    private static List<JsonObject> read(Path output) throws IOException {
        return Files.readAllLines(output).stream()
                .flatMap(line -> object(line).stream())
                .toList();
    }

    /** What a script has printed between results is none; what a build tool has left before one, such as colors, isn't part of it. */
    private static Optional<JsonObject> object(String line) {
        String result = line.substring(Math.max(0, line.indexOf('{')));
        try {
            return JsonParser.parse(result.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JsonSyntaxException e) {
            return Optional.empty();
        }
    }

    static MeasuredReport report(Report sequence, int asked, List<JsonObject> lines, String log) {
        MeasuredReport.Builder report = MeasuredReport.of("peers");
        double here = number(sequence.toJson(), "steps_per_s");
        List<JsonValue> all = new ArrayList<>();
        for (JsonObject line : lines) {
            if (line.get("workload") instanceof JsonString workload
                    && workload.value().startsWith(WORKLOAD)) {
                double there = number(line, "steps_s");
                report.line(String.format(
                        Locale.ROOT,
                        "%-22s%,10.0f steps/s, a run p50 %.0f ms, p95 %.0f ms; the sequence here: %.1f times as many%s",
                        text(line, "peer"),
                        there,
                        number(line, "p50_ms"),
                        number(line, "p95_ms"),
                        here / there,
                        disturbed(line) ? "; it was DISTURBED" : ""));
                all.add(JsonObject.builder()
                        .put("peer", text(line, "peer"))
                        .put("ratio", JsonNumber.of(Math.round(10 * here / there) / 10.0))
                        .put("disturbed", disturbed(line))
                        .put("line", line)
                        .build());
            }
        }
        if (all.isEmpty()) {
            report.line("no peer has told a result; the end of what their harness said:")
                    .line(log.substring(Math.max(0, log.length() - TOLD)));
        }
        return report.put("peers", new JsonArray(all))
                .none("silent", "peers told nothing", Math.max(0, asked - all.size()))
                .none("unmatched", "sequence to compare with", here > 0 ? 0 : 1)
                .build();
    }

    private static boolean disturbed(JsonObject line) {
        return number(line, "other_cpu") > DISTURBED || number(line, "steal_cpu") > DISTURBED;
    }

    private static double number(JsonObject object, String member) {
        return object.get(member) instanceof JsonNumber number ? number.doubleValue() : 0;
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString text ? text.value() : "?";
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
