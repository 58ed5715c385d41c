package dev.flowstone.dialect.fault;

/** One kind of fault; each dialect's are an enum. */
public interface FaultKind {
    /** Stable: programs may branch on it, and the dialect's page lists it. */
    String id();

    Severity severity();

    /** Its place among its dialect's kinds; of two faults at one place the smaller goes first. */
    int ordinal();
}
