package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonValue;

/**
 * Something that happens while a human task waits (R14).
 *
 * @param name unique in its task
 * @param after a template as of {@link Due.After}, since the activation opened
 */
public record Reminder(String name, JsonValue after, Action action) {
    public Reminder {
        requireNonNull(name);
        requireNonNull(after);
        requireNonNull(action);
    }

    /** What happens. */
    public sealed interface Action {
        /** They are reminded: an event, nothing else. */
        record Remind() implements Action {}

        /** Others are asked as well, or instead: a template as of {@link Node.HumanTask#assignees}. */
        record Escalate(JsonValue assignees, boolean replace) implements Action {
            public Escalate {
                requireNonNull(assignees);
            }
        }

        /** The system decides; settles the task whatever its quorum. */
        record Resolve(Outcome outcome) implements Action {
            public Resolve {
                requireNonNull(outcome);
            }
        }
    }
}
