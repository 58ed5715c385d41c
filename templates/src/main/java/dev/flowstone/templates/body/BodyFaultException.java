package dev.flowstone.templates.body;

/** Ends reading or rendering; never leaves this package. Carries no stack trace: it is an answer, not a bug. */
final class BodyFaultException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient BodyFault fault;

    BodyFaultException(BodyFault fault) {
        super(fault.message(), null, false, false);
        this.fault = fault;
    }

    BodyFault fault() {
        return fault;
    }
}
