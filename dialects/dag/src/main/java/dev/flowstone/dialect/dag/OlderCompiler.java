package dev.flowstone.dialect.dag;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonParser.Located;
import dev.flowstone.kernel.json.JsonParser.Place;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a version that an earlier release compiled: it keeps its program for ever, and publishing the same
 * definition again answers that version. Whoever does is told where this release would make something else of it.
 */
public final class OlderCompiler {
    private static final String WRITTEN = "/policies/retry/maxAttempts";

    private OlderCompiler() {}

    /**
     * A warning for each {@code maxAttempts} that would mean something else now, in the order of the text. Where none is
     * written, only an option can have changed since, which is no compiler's doing.
     *
     * @param stored the version's program
     * @param now what its definition would become
     * @param source the definition
     */
    public static List<Fault> warnings(Program stored, Program now, byte[] source) {
        if (!stored.dialect().equals(DagDialect.NAME) || stored.compiler() >= now.compiler()) {
            return List.of();
        }
        Located document;
        try {
            document = JsonParser.parseLocated(source, JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("a definition that was published is JSON", e);
        }
        List<Fault> warnings = new ArrayList<>();
        for (Node node : stored.nodes()) {
            if (node instanceof Node.Task was
                    && now.has(was.id())
                    && now.node(was.id()) instanceof Node.Task is
                    && was.retry().attempts() != is.retry().attempts()) {
                String written = is.origin().pointer() + WRITTEN;
                if (JsonPointer.parse(written).find(document.value()).isPresent()) {
                    warnings.add(warning(was, is, written, document.place(written)));
                }
            }
        }
        warnings.sort(Fault.BY_PLACE);
        return List.copyOf(warnings);
    }

    private static Fault warning(Node.Task was, Node.Task is, String pointer, Place place) {
        return new Fault(
                FaultCode.OLDER_COMPILER,
                FaultCode.OLDER_COMPILER.severity(),
                pointer,
                place.line(),
                place.column(),
                "this version is from when 'maxAttempts' counted retries, and stays as it was made: node '"
                        + was.id() + "' is tried " + was.retry().attempts() + " times, not "
                        + is.retry().attempts(),
                "change the definition, if only its description, and publish that");
    }
}
