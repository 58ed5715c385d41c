package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/** Counts what handlers do, for each action. */
final class Meter implements WorkerMetrics {
    private static final double NANOS = 1e9;

    private final Supplier<WorkerCounts> whole;
    private final Map<String, Counts> actions = new TreeMap<>();

    Meter(Collection<String> names, Supplier<WorkerCounts> whole) {
        this.whole = requireNonNull(whole);
        names.forEach(name -> actions.put(name, new Counts()));
    }

    private static final class Counts {
        private final LongAdder running = new LongAdder();
        private final LongAdder worked = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder nanos = new LongAdder();
        private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    }

    /** A handler begins; an action that isn't this worker's isn't counted. */
    void begins(String action) {
        Counts counts = actions.get(action);
        if (counts != null) {
            counts.running.increment();
        }
    }

    void ends(String action, boolean worked, long nanos) {
        Counts counts = actions.get(action);
        if (counts != null) {
            counts.running.decrement();
            (worked ? counts.worked : counts.failed).increment();
            counts.nanos.add(nanos);
            counts.longest.accumulate(nanos);
        }
    }

    @Override
    public WorkerCounts counts() {
        return whole.get();
    }

    @Override
    public List<ActionCounts> actions() {
        return actions.entrySet().stream()
                .map(each -> {
                    Counts counts = each.getValue();
                    return new ActionCounts(
                            each.getKey(),
                            counts.running.intValue(),
                            counts.worked.sum(),
                            counts.failed.sum(),
                            Duration.ofNanos(counts.nanos.sum()),
                            Duration.ofNanos(counts.longest.get()));
                })
                .toList();
    }

    @Override
    public String prometheus() {
        WorkerCounts counts = counts();
        List<ActionCounts> all = actions();
        StringBuilder text = new StringBuilder();
        whole(text, "held", "gauge", "Attempts in the worker's hands.", counts.held());
        whole(text, "answers_heard_total", "counter", "Answers that servers have acknowledged.", counts.heard());
        whole(text, "answers_unwanted_total", "counter", "Answers that came too late to count.", counts.unwanted());
        whole(text, "returned_total", "counter", "Attempts given back unused.", counts.returned());
        each(text, "running", "gauge", "Handlers that are at it.", all, it -> number(it.running()));
        each(text, "worked_total", "counter", "Handlers that ended well.", all, it -> number(it.worked()));
        each(text, "failed_total", "counter", "Handlers that did not.", all, it -> number(it.failed()));
        each(text, "seconds_total", "counter", "What handlers took together.", all, it -> seconds(it.took()));
        each(text, "longest_seconds", "gauge", "What the longest took.", all, it -> seconds(it.longest()));
        return text.toString();
    }

    private static void whole(StringBuilder text, String name, String type, String help, long value) {
        String family = "flowstone_worker_" + name;
        head(text, family, type, help);
        text.append(family).append(' ').append(value).append('\n');
    }

    private static void each(
            StringBuilder text,
            String name,
            String type,
            String help,
            List<ActionCounts> actions,
            Function<ActionCounts, String> value) {
        String family = "flowstone_worker_handler_" + name;
        head(text, family, type, help);
        actions.forEach(each -> text.append(family)
                .append("{action=\"")
                .append(each.action()
                        .replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n"))
                .append("\"} ")
                .append(value.apply(each))
                .append('\n'));
    }

    private static void head(StringBuilder text, String family, String type, String help) {
        text.append("# HELP ").append(family).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(family).append(' ').append(type).append('\n');
    }

    private static String number(long value) {
        return Long.toString(value);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.9f", time.toNanos() / NANOS);
    }
}
