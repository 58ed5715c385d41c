package dev.flowstone.server.timeline;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.util.Optional;

/**
 * One line of a run's timeline.
 *
 * @param sinceStart of the run
 * @param node whose event it is; empty for the run's own
 * @param what happened, in a word
 * @param took how long what ended now had lasted
 * @param detail more about it, in words
 * @param value an output, to be shown in brief
 */
public record Line(
        Duration sinceStart,
        String node,
        String what,
        Tone tone,
        Optional<Duration> took,
        Optional<String> detail,
        Optional<Payload> value) {
    public Line {
        requireNonNull(sinceStart);
        requireNonNull(node);
        requireNonNull(what);
        requireNonNull(tone);
        requireNonNull(took);
        requireNonNull(detail);
        requireNonNull(value);
    }

    /** How a line is meant. */
    public enum Tone {
        /** It goes on. */
        QUIET,
        /** It went well. */
        GOOD,
        /** Not as hoped, but the run goes on. */
        WARNING,
        /** It failed. */
        BAD
    }

    static Line of(Duration sinceStart, String node, String what, Tone tone) {
        return new Line(sinceStart, node, what, tone, Optional.empty(), Optional.empty(), Optional.empty());
    }

    Line took(Duration duration) {
        return new Line(sinceStart, node, what, tone, Optional.of(duration), detail, value);
    }

    Line detail(String text) {
        return new Line(sinceStart, node, what, tone, took, Optional.of(text), value);
    }

    Line value(Payload payload) {
        return new Line(sinceStart, node, what, tone, took, detail, Optional.of(payload));
    }
}
