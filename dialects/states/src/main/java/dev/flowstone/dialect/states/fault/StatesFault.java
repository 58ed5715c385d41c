package dev.flowstone.dialect.states.fault;

import static dev.flowstone.dialect.fault.Severity.ERROR;
import static dev.flowstone.dialect.fault.Severity.WARNING;

import dev.flowstone.dialect.fault.FaultKind;
import dev.flowstone.dialect.fault.Severity;

/** The kinds of faults. Their ids are stable; {@code docs/states.md} lists each one. */
public enum StatesFault implements FaultKind {
    /** The text is longer than the limit; it was not read. */
    SOURCE_TOO_LARGE(ERROR),
    /** Not JSON as RFC 8259 has it, a duplicate member name, or nested too deep. */
    JSON_SYNTAX(ERROR),
    /** {@code $schema} isn't this format's. */
    UNKNOWN_DIALECT(ERROR),
    /** A property that the format doesn't have. */
    UNKNOWN_PROPERTY(ERROR),
    /** A property that the format demands isn't there. */
    MISSING_PROPERTY(ERROR),
    /** Of properties that exclude each other none is there, or several are. */
    ONE_OF(ERROR),
    /** A value of another JSON type than the format demands. */
    WRONG_TYPE(ERROR),
    /** A text that isn't one of the allowed ones. */
    NOT_ALLOWED(ERROR),
    /** A number below its minimum or above its maximum. */
    OUT_OF_RANGE(ERROR),
    /** A list or an object with too few or too many members, or more states than the limit. */
    TOO_MANY(ERROR),
    /** A name that has characters that names may not have. */
    BAD_NAME(ERROR),
    /** A text that is too long, has a character that can't be shown, or isn't of the form demanded. */
    BAD_TEXT(ERROR),
    /** A duration or an instant that isn't ISO 8601, a schedule or a time zone that isn't one, or a time that never comes. */
    BAD_TIME(ERROR),
    /** Two states, or steps with ids, of one name. */
    DUPLICATE_NAME(ERROR),
    /** A transition, a start, a release or a milestone names a state that isn't there. */
    UNKNOWN_STATE(ERROR),
    /** A role, variable, policy, calendar and so on that no section declares. */
    UNKNOWN_REFERENCE(ERROR),
    /** An action that isn't in the catalogue. */
    UNKNOWN_ACTION(ERROR),
    /** An action that no new version may name. */
    ACTION_DISABLED(ERROR),
    /** An internal trigger's event that no execution has. */
    UNKNOWN_EVENT(ERROR),
    /** An outcome that the state can't have. */
    UNKNOWN_OUTCOME(ERROR),
    /** An outcome that the state can have, and no transition for it. */
    NO_WAY_ON(ERROR),
    /** Properties that have no sense together, or where they stand. */
    NOT_TOGETHER(ERROR),
    /** A variable's default isn't of its type. */
    BAD_DEFAULT(ERROR),
    /** A call that doesn't give what the subworkflow's 'inputs' ask for, or gives more. */
    CALL_INPUT(ERROR),
    /** Policies that refer to each other in a circle. */
    POLICY_CIRCLE(ERROR),
    /** A condition that the expression language doesn't accept. */
    CONDITION_INVALID(ERROR),
    /** A template with an expression that the expression language doesn't accept. */
    TEMPLATE_INVALID(ERROR),
    /** An expression begins with a name that isn't one of the run's. */
    UNKNOWN_NAME(ERROR),
    /** More conditions and templates than the limit; the further ones were not looked at. */
    TOO_MANY_EXPRESSIONS(ERROR),
    /** No way leads from the start to this state. */
    UNREACHABLE_STATE(ERROR),
    /** The compiled program breaks a rule of the kernel. */
    PROGRAM(ERROR),
    /** More faults than are shown. */
    MORE_FAULTS(ERROR),
    /** An expression reads the output of a state or step that doesn't exist. */
    UNKNOWN_OUTPUT(WARNING),
    /** An action that is to be left. */
    ACTION_DEPRECATED(WARNING),
    /** A calendar is named, and this release counts elapsed time all the same. */
    CALENDAR_NOT_COUNTED(WARNING);

    private final Severity severity;

    StatesFault(Severity severity) {
        this.severity = severity;
    }

    @Override
    public String id() {
        return "STATES-" + name().replace('_', '-');
    }

    @Override
    public Severity severity() {
        return severity;
    }

    @Override
    public String toString() {
        return id();
    }
}
