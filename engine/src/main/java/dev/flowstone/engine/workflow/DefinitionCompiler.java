package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Optional;

/** Turns a definition's source into a program. The engine knows no dialect; whoever wires it hands in those there are. */
@FunctionalInterface
public interface DefinitionCompiler {
    /** Pure: equal bytes compile alike, on every machine. */
    Compilation compile(byte[] source);

    /** What became of it. */
    sealed interface Compilation {}

    /**
     * It compiles.
     *
     * @param checksum SHA-256 of the source's canonical exact JSON
     * @param program hash of the program
     * @param programBytes canonical bytes of that; never change them
     * @param triggers that it declares
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Compiled(
            WorkflowId workflow,
            String displayName,
            Optional<String> description,
            Sha256 checksum,
            Sha256 program,
            byte[] programBytes,
            List<OwnTrigger> triggers)
            implements Compilation {
        public Compiled {
            requireNonNull(workflow);
            requireNonNull(displayName);
            requireNonNull(description);
            requireNonNull(checksum);
            requireNonNull(program);
            requireNonNull(programBytes);
            triggers = List.copyOf(triggers);
        }

        /** One that declares none. */
        public Compiled(
                WorkflowId workflow,
                String displayName,
                Optional<String> description,
                Sha256 checksum,
                Sha256 program,
                byte[] programBytes) {
            this(workflow, displayName, description, checksum, program, programBytes, List.of());
        }
    }

    /** It doesn't; every fault that was found, at least one, in the order of the source. */
    record Faulty(List<DefinitionFault> faults) implements Compilation {
        public Faulty {
            faults = List.copyOf(faults);
            if (faults.isEmpty()) {
                throw new IllegalArgumentException("a definition without a fault is not faulty");
            }
        }
    }
}
