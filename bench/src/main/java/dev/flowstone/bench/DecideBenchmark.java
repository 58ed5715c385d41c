package dev.flowstone.bench;

import com.sun.management.ThreadMXBean;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What the kernel's decisions cost, without a database: one thread decides, encodes, hashes and applies, run after run of
 * each shape. Then one run goes round in a circle, to see whether a step costs more the longer a run is.
 */
public final class DecideBenchmark {
    private static final int THOUSAND = 1_000;

    /** Rounds, each of a thousand steps at either end in turns, so that whatever slows the machine down slows both. */
    private static final int ROUNDS = 9;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Duration each;
    private final DecideSizes sizes;
    private final Consumer<String> progress;

    /** @param each how long to measure each shape, after as long to warm up */
    public DecideBenchmark(Duration each, DecideSizes sizes, Consumer<String> progress) {
        this.each = each;
        this.sizes = sizes;
        this.progress = progress;
    }

    public DecideReport run() {
        List<DecideReport.Shape> shapes = new ArrayList<>();
        shapes.add(shape("sequence of 5", DecidePrograms.sequence(5), JsonObject.EMPTY));
        shapes.add(shape("fan-out of " + sizes.width(), DecidePrograms.fanOut(sizes.width()), JsonObject.EMPTY));
        shapes.add(shape(
                "DAG of " + number(sizes.layers() * sizes.width()) + " nodes",
                DecidePrograms.layers(sizes.layers(), sizes.width()),
                JsonObject.EMPTY));
        JsonValue[] elements = new JsonValue[sizes.elements()];
        Arrays.setAll(elements, JsonNumber::of);
        shapes.add(shape(
                "fork over " + number(sizes.elements()) + " elements",
                DecidePrograms.forEach(sizes.width()),
                new JsonArray(List.of(elements))));
        return new DecideReport(shapes, growth());
    }

    private static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private DecideReport.Shape shape(String name, Program program, JsonValue trigger) {
        progress.accept(name);
        Sha256 hash = DecideRun.hash(program);
        measure(name, program, hash, trigger);
        return measure(name, program, hash, trigger);
    }

    private DecideReport.Shape measure(String name, Program program, Sha256 hash, JsonValue trigger) {
        long runs = 0;
        long decisions = 0;
        long bytes = 0;
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();
        do {
            DecideRun run = DecideRun.start(program, hash, trigger);
            run.go(Long.MAX_VALUE / 2);
            if (!run.succeeded()) {
                throw new IllegalStateException("a run of '" + name + "' did not succeed");
            }
            runs++;
            decisions += run.decisions();
            bytes += run.entryBytes();
        } while (System.nanoTime() - begin < each.toNanos());
        long nanos = System.nanoTime() - begin;
        return new DecideReport.Shape(
                name, runs, decisions, nanos, threads.getCurrentThreadAllocatedBytes() - allocated, bytes);
    }

    private DecideReport.Growth growth() {
        progress.accept(number(sizes.steps()) + " steps in one run");
        Program program = DecidePrograms.cycle();
        Sha256 hash = DecideRun.hash(program);
        long warm = System.nanoTime() + each.toNanos();
        while (System.nanoTime() < warm) {
            DecideRun.start(program, hash, JsonObject.EMPTY).go(THOUSAND);
        }
        DecideRun run = DecideRun.start(program, hash, JsonObject.EMPTY);
        run.go(sizes.steps() - (long) ROUNDS * THOUSAND);
        List<DecideReport.Round> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Cost first = thousand(DecideRun.start(program, hash, JsonObject.EMPTY));
            Cost last = thousand(run);
            rounds.add(new DecideReport.Round(
                    (double) first.nanos() / THOUSAND,
                    (double) last.nanos() / THOUSAND,
                    first.allocated() / THOUSAND,
                    last.allocated() / THOUSAND));
        }
        return new DecideReport.Growth(run.steps(), rounds);
    }

    /** By the processor's time of this thread, to which other load adds little. */
    private Cost thousand(DecideRun run) {
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long begin = threads.getCurrentThreadCpuTime();
        run.go(THOUSAND);
        long nanos = threads.getCurrentThreadCpuTime() - begin;
        return new Cost(nanos, threads.getCurrentThreadAllocatedBytes() - allocated);
    }

    private record Cost(long nanos, long allocated) {}
}
