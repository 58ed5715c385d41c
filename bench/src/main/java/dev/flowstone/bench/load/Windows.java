package dev.flowstone.bench.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Several stretches of time under the same load, between which something else went on. There is at least one. */
public record Windows(List<Window> parts) {
    public Windows {
        parts = List.copyOf(parts);
    }

    public boolean holds(Instant time) {
        return parts.stream().anyMatch(part -> part.holds(time));
    }

    public double seconds() {
        return parts.stream().mapToDouble(Window::seconds).sum();
    }

    /** What the meter saw in all of them. */
    public Reading reading() {
        return parts.stream().map(Window::reading).reduce(Reading::plus).orElseThrow();
    }

    /** Units of work a second; of the stretches the one in the middle, so that one bad moment counts for little. */
    public double donePerSecond() {
        double[] rates = parts.stream()
                .mapToDouble(part -> part.perSecond(part.done()))
                .sorted()
                .toArray();
        return rates[rates.length / 2];
    }

    /** All of it as if nothing had been between. */
    public Window joined() {
        List<Sample> samples = new ArrayList<>();
        double before = 0;
        for (Window part : parts) {
            for (Sample sample : part.samples()) {
                samples.add(new Sample(
                        before + sample.second(), sample.perSecond(), sample.p50Millis(), sample.p95Millis()));
            }
            before += part.seconds();
        }
        Instant from = parts.getFirst().from();
        return new Window(
                from,
                from.plusNanos((long) (seconds() * 1e9)),
                parts.stream().mapToLong(Window::done).sum(),
                reading(),
                samples);
    }
}
