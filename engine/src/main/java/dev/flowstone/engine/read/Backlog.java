package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * What waits in the database, over all tenants. Each number stops at {@link BacklogReader#MOST}.
 *
 * @param outboxPending messages that have not left
 * @param outboxDead messages that never will, unless somebody sends them again
 * @param outboxOldest when the message was due that has been due for longest
 * @param inboxWaiting messages that no run has taken
 * @param inboxOldest when the oldest of them came
 * @param letters between runs that are not known to have arrived
 * @param timersOverdue timers that should have fired
 * @param tasksOpen human tasks that wait
 * @param tasksOverdue those of them at which something was due: a reminder, an escalation, their end
 * @param ticksOpen ticks of schedules that are claimed, and have not started anything yet
 */
public record Backlog(
        long outboxPending,
        long outboxDead,
        Optional<Instant> outboxOldest,
        long inboxWaiting,
        Optional<Instant> inboxOldest,
        long letters,
        long timersOverdue,
        long tasksOpen,
        long tasksOverdue,
        long ticksOpen) {
    public Backlog {
        requireNonNull(outboxOldest);
        requireNonNull(inboxOldest);
    }
}
