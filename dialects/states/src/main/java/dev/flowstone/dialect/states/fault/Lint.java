package dev.flowstone.dialect.states.fault;

import dev.flowstone.dialect.fault.FaultKind;
import dev.flowstone.dialect.fault.Severity;

/** The lints; {@code docs/lints.md} says of each one why, and what to do. All are warnings. */
public enum Lint implements FaultKind {
    /** A task with side effects that nothing undoes. */
    MISSING_COMPENSATION,
    /** A task that is tried without end. */
    UNBOUNDED_RETRY,
    /** Transitions that all have conditions. */
    MISSING_ELSE,
    /** The program can stop for good. */
    DEADLOCK,
    /** A way back over effects that nothing undoes, or that never waits. */
    UNSAFE_BACK_EDGE,
    /** A signal whose key is the same in every run. */
    NO_CORRELATION,
    /** A workflow that calls itself, by itself or through others. */
    CHILD_CYCLE,
    /** People are asked, and nothing happens if they don't answer. */
    HUMAN_WITHOUT_SLA,
    /** Suspend policies that contradict each other. */
    SUSPEND_CONFLICT,
    /** A trigger that can fire itself. */
    SELF_TRIGGER,
    /** A semaphore that isn't given back on every way. */
    SEMAPHORE_NOT_RELEASED,
    /** A call with a timeout that doesn't say what becomes of the child. */
    CHILD_TIMEOUT,
    /** A published policy that there isn't. */
    UNKNOWN_BUNDLE,
    /** A node that can never run. */
    NEVER_RUNS,
    /** A join that can never fire. */
    JOIN_NEVER_FIRES,
    /** The program has more markings than were looked at. */
    NOT_FULLY_EXPLORED;

    @Override
    public String id() {
        return "LINT-" + name().replace('_', '-');
    }

    @Override
    public Severity severity() {
        return Severity.WARNING;
    }

    @Override
    public String toString() {
        return id();
    }
}
