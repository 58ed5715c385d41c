package dev.flowstone.triggers.event;

import static java.util.Objects.requireNonNull;

/** What was sent is no CloudEvent: says what is wrong, where, and what to do. */
public final class CloudEventException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String pointer;
    private final String remedy;

    /**
     * One fault.
     *
     * @param code stable
     * @param pointer to it in the body; empty for the body itself, or for a header
     */
    CloudEventException(String code, String pointer, String message, String remedy) {
        super(message);
        this.code = requireNonNull(code);
        this.pointer = requireNonNull(pointer);
        this.remedy = requireNonNull(remedy);
    }

    public String code() {
        return code;
    }

    public String pointer() {
        return pointer;
    }

    public String remedy() {
        return remedy;
    }
}
