package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code program: …}. What comes out passes {@link ProgramCheck}; every fault is told where its text stands. */
public final class ProgramForm {
    private static final List<String> KEYS =
            List.of("id", "flow", "settling", "entry", "onFailure", "output", "deadline", "metadata");

    private ProgramForm() {}

    /** The program; empty if there were faults. */
    public static Optional<Program> read(Cursor value) {
        try {
            return program(value);
        } catch (IllegalArgumentException e) {
            // A name that can't be one, a reference that dangles.
            value.fault(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static Optional<Program> program(Cursor value) {
        int before = value.faults().count();
        Part at = new Part(value, KEYS);
        ScopeForm scopes = new ScopeForm();
        scopes.root(at);
        Output output = at.find("output")
                .<Output>map(it -> new Output.Template(it.value()))
                .orElse(Output.TERMINALS);
        Optional<Duration> deadline = at.find("deadline").flatMap(Cursor::duration);
        JsonObject metadata = at.value("metadata", JsonObject.EMPTY) instanceof JsonObject it ? it : JsonObject.EMPTY;
        List<Edge> edges = scopes.edges();
        if (value.faults().count() > before) {
            return Optional.empty();
        }
        Program program = new Program(
                "program",
                1,
                new WorkflowId(at.maybeText("id").orElse("program")),
                scopes.scopes(),
                scopes.nodes(),
                edges,
                output,
                deadline,
                metadata);
        List<ProgramFault> faults = ProgramCheck.faults(program);
        faults.forEach(it -> value.faults()
                .at(
                        it.origin().pointer().isEmpty()
                                ? value.pointer()
                                : it.origin().pointer(),
                        it.code() + ": " + it.message()));
        return faults.isEmpty() ? Optional.of(program) : Optional.empty();
    }
}
