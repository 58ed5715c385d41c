package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open attempts that this shard answers for: handed to a handler, or about to be answered for without one. An open attempt of a
 * committed state that isn't here was never handed out. Keeps their deadlines, which count from the handler's beginning.
 * Belongs to its shard's loop.
 */
final class InFlight {
    static final Duration LONGEST = Duration.ofDays(365_000);
    private static final int SLACK = 1_000;

    /** When one is looked at again that was just being committed. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Map<Name, Flight> flights = new HashMap<>();
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>((a, b) -> a.at.compareTo(b.at));

    /** An attempt's name. */
    record Name(RunKey run, ActivationId activation, int attempt) {
        static Name of(RunKey run, Attempt attempt) {
            return new Name(run, attempt.activation(), attempt.attempt());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name that
                    && run.equals(that.run)
                    && activation.equals(that.activation)
                    && attempt == that.attempt;
        }

        @Override
        public int hashCode() {
            return run.hashCode() + 31 * activation.hashCode() + attempt;
        }
    }

    /** Compared by identity: the same attempt may fly twice, if it was given back. */
    private static final class Flight {
        final Optional<TaskRun> task;
        final Optional<WorkflowId> workflow;
        final Duration timeout;

        Flight(Optional<TaskRun> task, Optional<WorkflowId> workflow, Duration timeout) {
            this.task = task;
            this.workflow = workflow;
            this.timeout = timeout;
        }
    }

    private record Deadline(Instant at, Name name, Flight flight) {}

    boolean contains(Name name) {
        return flights.containsKey(name);
    }

    void add(Name name, WorkflowId workflow, TaskRun task, Duration timeout, Instant now) {
        Duration bounded = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
        Flight flight = new Flight(Optional.of(task), Optional.of(workflow), bounded);
        flights.put(name, flight);
        deadlines.add(new Deadline(now.plus(bounded), name, flight));
        if (deadlines.size() > 2 * flights.size() + SLACK) {
            deadlines.removeIf(deadline -> !isCurrent(deadline));
        }
    }

    /** Asks its handler to end early; its answer is still awaited. */
    void cancel(Name name) {
        Flight flight = flights.get(name);
        if (flight != null) {
            flight.task.ifPresent(TaskRun::cancel);
        }
    }

    /** What was handed out; empty for one that nobody works on, or that isn't here. */
    Optional<TaskRun> task(Name name) {
        Flight flight = flights.get(name);
        return flight == null ? Optional.empty() : flight.task;
    }

    /** An attempt that nobody works on and that is about to be answered for. */
    void addUnmanned(Name name) {
        flights.put(name, new Flight(Optional.empty(), Optional.empty(), LONGEST));
    }

    /** It has been answered for, durably. */
    void remove(Name name) {
        Flight flight = flights.remove(name);
        if (flight != null) {
            flight.task.ifPresent(TaskRun::settled);
        }
    }

    /** Whether somebody works on any of them, or is about to. */
    boolean isManned() {
        return flights.values().stream().anyMatch(flight -> flight.task.isPresent());
    }

    private boolean isCurrent(Deadline deadline) {
        return flights.get(deadline.name) == deadline.flight;
    }

    /** Interrupts and names the attempts that passed their timeout; each once. */
    List<Name> expire(Instant now) {
        List<Name> expired = new ArrayList<>(0);
        while (!deadlines.isEmpty() && !deadlines.peek().at.isAfter(now)) {
            Deadline deadline = deadlines.remove();
            if (!isCurrent(deadline)) {
                continue;
            }
            Flight flight = deadline.flight;
            Instant end = flight.task
                    .flatMap(TaskRun::startedAt)
                    .map(start -> start.plus(flight.timeout))
                    .orElseGet(() -> now.plus(flight.timeout));
            if (end.isAfter(now)) {
                deadlines.add(new Deadline(end, deadline.name, flight));
            } else if (flight.task.map(TaskRun::giveUp).orElse(true)) {
                expired.add(deadline.name);
            } else {
                deadlines.add(new Deadline(now.plus(AGAIN), deadline.name, flight));
            }
        }
        return expired;
    }

    /** When the next attempt may time out. */
    Instant next() {
        Deadline first = deadlines.peek();
        return first == null ? Instant.MAX : first.at;
    }

    /** Takes back those of the runs that qualify that have not begun, for ever. */
    List<Name> withdraw(BiPredicate<RunKey, WorkflowId> runs, Predicate<TaskRun> withdraws) {
        List<Name> names = new ArrayList<>(0);
        flights.forEach((name, flight) -> {
            boolean ready = flight.task.isPresent()
                    && runs.test(name.run, flight.workflow.orElseThrow())
                    && withdraws.test(flight.task.get());
            if (ready) {
                names.add(name);
            }
        });
        names.sort(InFlight::order);
        return names;
    }

    /**
     * Interrupts handlers and names their attempts: those that have no effect from now on. The others are about to be
     * committed, and answer soon.
     */
    List<Name> giveUpAll() {
        List<Name> names = new ArrayList<>();
        flights.forEach((name, flight) -> {
            if (flight.task.isPresent() && flight.task.get().giveUp()) {
                names.add(name);
            }
        });
        names.sort(InFlight::order);
        return names;
    }

    /** Interrupts every handler. */
    void abandonAll() {
        flights.values().forEach(flight -> flight.task.ifPresent(TaskRun::abandon));
    }

    private static int order(Name a, Name b) {
        int byRun = a.run.compareTo(b.run);
        return byRun != 0 ? byRun : a.activation.compareTo(b.activation);
    }

    int size() {
        return flights.size();
    }
}
