package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.Sha256;

/** An event after which a run follows a program that nobody knows here. */
public final class UnknownProgramException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Sha256 program;

    public UnknownProgramException(Sha256 program) {
        super("program " + program + " is not known here");
        this.program = program;
    }

    public Sha256 program() {
        return program;
    }
}
