package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.kernel.program.Program;

/** A program as stored, and what its definition demands of a start. */
public record PublishedProgram(Program program, TriggerSchema trigger) {
    public PublishedProgram {
        requireNonNull(program);
        requireNonNull(trigger);
    }
}
