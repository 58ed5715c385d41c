package dev.flowstone.dialect.dag.fault;

import static dev.flowstone.dialect.fault.Severity.ERROR;
import static dev.flowstone.dialect.fault.Severity.WARNING;

import dev.flowstone.dialect.fault.FaultKind;
import dev.flowstone.dialect.fault.Severity;

/** The kinds of fault. Their names are stable: programs may branch on them, and {@code docs/dag.md} lists each one. */
public enum FaultCode implements FaultKind {
    /** The text is longer than the limit; it was not read. */
    SOURCE_TOO_LARGE(ERROR),
    /** Not JSON as RFC 8259 has it, a duplicate member name, or nested too deep. */
    JSON_SYNTAX(ERROR),
    /** {@code $schema} names a dialect that isn't known here. */
    UNKNOWN_DIALECT(ERROR),
    /** A property that the format doesn't have. */
    UNKNOWN_PROPERTY(ERROR),
    /** A property that the format demands isn't there. */
    MISSING_PROPERTY(ERROR),
    /** A value of another JSON type than the format demands. */
    WRONG_TYPE(ERROR),
    /** A text that isn't one of the allowed ones. */
    NOT_ALLOWED(ERROR),
    /** A number below its minimum or above its maximum. */
    OUT_OF_RANGE(ERROR),
    /** An id that is empty, too long, reserved, or has characters that ids may not have. */
    BAD_ID(ERROR),
    /** A text for people that is too long or has a character that can't be shown. */
    BAD_TEXT(ERROR),
    /** More nodes than the limit. */
    TOO_MANY_NODES(ERROR),
    /** More edges than the limit. */
    TOO_MANY_EDGES(ERROR),
    /** More conditions and templates than the limit; the further ones were not looked at. */
    TOO_MANY_EXPRESSIONS(ERROR),
    /** Two nodes with one id. */
    DUPLICATE_NODE_ID(ERROR),
    /** {@code startNode}, {@code targetNode} or {@code onFailure} names a node that doesn't exist. */
    UNKNOWN_NODE(ERROR),
    /** An edge that closes a circle. */
    CYCLE(ERROR),
    /** No path leads from the start to this node. */
    UNREACHABLE_NODE(ERROR),
    /** An action that isn't in the catalogue. */
    UNKNOWN_ACTION(ERROR),
    /** An action that there is, and that no new version may name. */
    ACTION_DISABLED(ERROR),
    /** Parameters that the action doesn't take. */
    ACTION_PARAMETERS(ERROR),
    /** A condition that the expression language doesn't accept. */
    CONDITION_INVALID(ERROR),
    /** A template with an expression that the expression language doesn't accept. */
    TEMPLATE_INVALID(ERROR),
    /** With {@code publish.validateParameterTemplates}: a template that fails whatever a run's data are. */
    TEMPLATE_FAILS(ERROR),
    /** A condition or template begins with a name that isn't {@code trigger}, {@code spec}, {@code context} or {@code vars}. */
    UNKNOWN_NAME(ERROR),
    /** {@code triggerSchema} isn't a JSON Schema, refers outside itself, or uses a pattern that can't run safely. */
    TRIGGER_SCHEMA_INVALID(ERROR),
    /** A trigger payload that doesn't satisfy the workflow's {@code triggerSchema}. */
    TRIGGER_INVALID(ERROR),
    /** More faults than are shown. */
    MORE_FAULTS(ERROR),
    /** A condition or template reads the data of a node that doesn't exist. */
    UNKNOWN_NODE_REFERENCE(WARNING),
    /** A condition or template reads the data of a node that can't have run by then. */
    NOT_UPSTREAM(WARNING),
    /** With {@code publish.validateParameterTemplates}: a template that can't be rendered where there are no data. */
    TEMPLATE_NEEDS_DATA(WARNING),
    /** A subworkflow node names a workflow that a call could not start now. */
    UNKNOWN_WORKFLOW(WARNING),
    /** A workflow that is called below itself, which the engine refuses unless it is told otherwise. */
    RECURSIVE_CALL(WARNING),
    /** An action that is going to be taken away. */
    ACTION_DEPRECATED(WARNING),
    /** A property that has no effect where it stands. */
    IGNORED_PROPERTY(WARNING),
    /** An edge that another one always goes before. */
    EDGE_NEVER_TAKEN(WARNING),
    /** A delay that outlasts the run's deadline. */
    DELAY_BEYOND_DEADLINE(WARNING),
    /** A time for a child that outlasts the run's deadline. */
    TIMEOUT_BEYOND_DEADLINE(WARNING),
    /** A version that an earlier release made, and that this one would make otherwise; told when it is published again. */
    OLDER_COMPILER(WARNING);

    private final Severity severity;

    FaultCode(Severity severity) {
        this.severity = severity;
    }

    @Override
    public String id() {
        return name();
    }

    @Override
    public Severity severity() {
        return severity;
    }
}
