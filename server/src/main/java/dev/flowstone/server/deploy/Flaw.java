package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import java.nio.file.Path;

/** What is wrong with a file, or a warning. */
public record Flaw(Path file, Fault fault) {
    public Flaw {
        requireNonNull(file);
        requireNonNull(fault);
    }

    public boolean isError() {
        return fault.isError();
    }
}
