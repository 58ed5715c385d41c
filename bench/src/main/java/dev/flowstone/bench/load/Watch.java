package dev.flowstone.bench.load;

import dev.flowstone.engine.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** Lets time pass under load, tells once a second how it goes, and keeps what each second was like. */
public final class Watch {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration GLANCE = Duration.ofMillis(20);

    private final LoadMeter meter;
    private final LongSupplier done;
    private final String unit;
    private final Clock clock;
    private final Consumer<String> progress;

    /**
     * On a meter.
     *
     * @param done how many units of work were done, ever
     * @param unit what they are called
     * @param clock the engine's, whose times events carry
     */
    public Watch(LoadMeter meter, LongSupplier done, String unit, Clock clock, Consumer<String> progress) {
        this.meter = meter;
        this.done = done;
        this.unit = unit;
        this.clock = clock;
        this.progress = progress;
    }

    public Window hold(Duration time, String what) throws InterruptedException {
        return hold(time, what, () -> false);
    }

    /** Ends early when {@code over} says so, which is asked often. */
    public Window hold(Duration most, String what, BooleanSupplier over) throws InterruptedException {
        meter.read();
        Instant from = clock.now();
        long begin = System.nanoTime();
        long end = begin + most.toNanos();
        long first = done.getAsLong();
        Reading sum = meter.read();
        List<Sample> samples = new ArrayList<>();
        long before = begin;
        long last = first;
        boolean ended = false;
        while (!ended) {
            ended = pass(Math.min(end, before + TICK.toNanos()), over) || System.nanoTime() >= end;
            long now = System.nanoTime();
            long sofar = done.getAsLong();
            Reading reading = meter.read();
            sum = sum.plus(reading);
            double perSecond = (sofar - last) / Math.max(1e-9, (now - before) / 1e9);
            samples.add(sample((now - begin) / 1e9, perSecond, reading));
            progress.accept(String.format(Locale.ROOT, "%s: %,.0f %s/s", what, perSecond, unit));
            before = now;
            last = sofar;
        }
        return new Window(from, clock.now(), last - first, sum, samples);
    }

    private static boolean pass(long until, BooleanSupplier over) throws InterruptedException {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            if (over.getAsBoolean()) {
                return true;
            }
            Thread.sleep(Duration.ofNanos(Math.min(left, GLANCE.toNanos())));
        }
        return over.getAsBoolean();
    }

    private static Sample sample(double second, double perSecond, Reading reading) {
        Histogram micros = reading.runs().getTotalCount() > 0 ? reading.runs() : reading.decisions();
        return new Sample(
                second, perSecond, micros.getValueAtPercentile(50) / 1e3, micros.getValueAtPercentile(95) / 1e3);
    }
}
