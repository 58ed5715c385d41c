package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a message that leaves, for ever: the run, the event that caused it, and a number among those of that event. In its
 * tenant it is written {@code RUN:EVENT:NUMBER}, of letters, digits, hyphens and colons only, so that it may stand in headers
 * and in paths.
 */
public record OutboxKey(RunKey run, long causeSequence, int ordinal) implements Comparable<OutboxKey> {
    private static final Pattern FORM = Pattern.compile("([0-9a-f-]{36}):([1-9][0-9]{0,17}):(0|[1-9][0-9]{0,8})");

    public OutboxKey {
        requireNonNull(run);
    }

    /**
     * Reads {@link #text}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static OutboxKey parse(TenantId tenant, String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("a message is named RUN:EVENT:NUMBER, such as"
                    + " 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d:7:0, not '" + text + "'");
        }
        return new OutboxKey(
                new RunKey(tenant, RunId.parse(parts.group(1))),
                Long.parseLong(parts.group(2)),
                Integer.parseInt(parts.group(3)));
    }

    /** Within its tenant. */
    public String text() {
        return run.run() + ":" + causeSequence + ":" + ordinal;
    }

    @Override
    public int compareTo(OutboxKey other) {
        int byRun = run.compareTo(other.run);
        if (byRun != 0) {
            return byRun;
        }
        int byCause = Long.compare(causeSequence, other.causeSequence);
        return byCause != 0 ? byCause : Integer.compare(ordinal, other.ordinal);
    }
}
