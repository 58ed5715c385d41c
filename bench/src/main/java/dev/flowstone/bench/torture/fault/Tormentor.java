package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.torture.company.Node;
import dev.flowstone.bench.torture.load.Elapsed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Lets one thing after another go wrong, each kind once before any comes again. */
public final class Tormentor {
    private final Company company;
    private final Prober prober;
    private final Faults faults;
    private final Elapsed elapsed;
    private final Duration calm;
    private final Random order;
    private final Consumer<String> progress;

    /**
     * On a company.
     *
     * @param lease of its nodes
     * @param calm between two faults
     */
    public Tormentor(
            Company company,
            Prober prober,
            Elapsed elapsed,
            Duration lease,
            Duration calm,
            long seed,
            Consumer<String> progress) {
        this.company = requireNonNull(company);
        this.prober = requireNonNull(prober);
        this.faults = new Faults(company, lease, new SplittableRandom(seed));
        this.elapsed = requireNonNull(elapsed);
        this.calm = requireNonNull(calm);
        this.order = new Random(seed);
        this.progress = requireNonNull(progress);
    }

    /**
     * Goes on until the time is over; what has begun is ended.
     *
     * @param once whether one of each kind is enough
     */
    public List<FaultRecord> torment(List<FaultKind> kinds, Duration time, boolean once) throws Exception {
        List<FaultRecord> records = new ArrayList<>();
        do {
            List<FaultKind> round = new ArrayList<>(kinds);
            Collections.shuffle(round, order);
            for (FaultKind kind : round) {
                if (!once && elapsed.isBeyond(time)) {
                    return records;
                }
                records.add(play(faults.of(kind)));
                Thread.sleep(calm);
            }
        } while (!once && !elapsed.isBeyond(time) && !kinds.isEmpty());
        return records;
    }

    private FaultRecord play(Fault fault) throws Exception {
        progress.accept(fault.kind().word() + " " + fault.where());
        requireAlive();
        company.awaitWholeDatabase();
        double begin = elapsed.seconds();
        long since = System.nanoTime();
        fault.begin().take();
        long begun = System.nanoTime();
        Optional<Duration> others =
                fault.mended() ? prober.await(fault.kind().probe(), others(fault), since) : Optional.empty();
        long left = begun + fault.lasts().toNanos() - System.nanoTime();
        Thread.sleep(Duration.ofNanos(Math.max(0, left)));
        fault.end().take();
        double end = elapsed.seconds();
        progress.accept(fault.kind().word() + " is over");
        Optional<Duration> whole = prober.await(fault.kind().probe(), company.nodes(), System.nanoTime());
        if (whole.isEmpty()) {
            requireAlive();
        }
        return new FaultRecord(fault.kind(), fault.where(), begin, end, fault.mended() ? others : whole, whole);
    }

    /** A node that ended by itself is named, with its last words. */
    private void requireAlive() throws IOException {
        for (Node node : company.nodes()) {
            node.requireAlive();
        }
    }

    private List<Node> others(Fault fault) {
        return company.nodes().stream()
                .filter(node -> !fault.away().contains(node))
                .toList();
    }
}
