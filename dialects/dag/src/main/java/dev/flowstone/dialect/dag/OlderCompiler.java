package dev.flowstone.dialect.dag;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.Optional;

/**
 * What becomes of a version that an earlier release compiled: it keeps its program for ever, and publishing the same
 * definition again answers that version. Whoever does is told where this release would make something else of it.
 */
public final class OlderCompiler {
    private OlderCompiler() {}

    /**
     * The warning, if one is due.
     *
     * @param stored the version's program
     * @param now what its definition would become
     */
    public static Optional<Fault> warning(Program stored, Program now) {
        if (!stored.dialect().equals(DagDialect.NAME) || stored.compiler() >= now.compiler()) {
            return Optional.empty();
        }
        for (Node node : stored.nodes()) {
            if (node instanceof Node.Task was
                    && now.has(was.id())
                    && now.node(was.id()) instanceof Node.Task is
                    && was.retry().attempts() != is.retry().attempts()) {
                return Optional.of(warning(was, is));
            }
        }
        return Optional.empty();
    }

    private static Fault warning(Node.Task was, Node.Task is) {
        return new Fault(
                FaultCode.OLDER_COMPILER,
                FaultCode.OLDER_COMPILER.severity(),
                "",
                1,
                1,
                "this version is from when 'maxAttempts' counted retries, and stays as it was made: node '"
                        + was.id() + "' is tried " + was.retry().attempts() + " times, not "
                        + is.retry().attempts(),
                "change the definition, if only its description, and publish that");
    }
}
