package dev.flowstone.dialect.fault;

/** Whether a fault stops a definition from being published. */
public enum Severity {
    /** The definition is refused. */
    ERROR,
    /** The definition compiles; its author should look here. */
    WARNING
}
