package dev.flowstone.testkit.simulation.world;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The last things that happened, for a reader; costs nothing while it is off. */
public final class Trace {
    private final boolean on;
    private final int lines;
    private final ArrayDeque<String> kept = new ArrayDeque<>();
    private String step = "";

    private Trace(boolean on, int lines) {
        this.on = on;
        this.lines = lines;
    }

    public static Trace off() {
        return new Trace(false, 0);
    }

    /** Keeps the last so many lines. */
    public static Trace last(int lines) {
        return new Trace(true, lines);
    }

    /** What follows belongs to this step. */
    public void step(String name) {
        step = name;
    }

    void say(Duration since, Supplier<String> line) {
        if (!on) {
            return;
        }
        if (kept.size() == lines) {
            kept.remove();
        }
        kept.add(String.format(Locale.ROOT, "%5s %10.3fs  %s", step, since.toMillis() / 1_000.0, line.get()));
    }

    public List<String> lines() {
        return List.copyOf(kept);
    }

    /** How long after a world's beginning. */
    static Duration since(Instant beginning, Instant now) {
        return Duration.between(beginning, now);
    }
}
