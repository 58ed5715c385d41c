package dev.flowstone.templates.body;

import dev.flowstone.expression.ScriptExpressions;
import java.util.List;
import java.util.Set;

/** A body that was read; what it may name is decided then. Immutable. */
public final class Body {
    private final String source;
    private final List<Part> parts;

    Body(String source, List<Part> parts) {
        this.source = source;
        this.parts = List.copyOf(parts);
    }

    /** What became of a source. */
    public sealed interface Reading {
        record Read(Body body) implements Reading {}

        /** Every fault that could be found, in the order of the text; at least one. */
        record Refused(List<BodyFault> faults) implements Reading {
            public Refused {
                faults = List.copyOf(faults);
            }
        }
    }

    /**
     * Reads one.
     *
     * @param names that its expressions may begin with
     */
    public static Reading read(String source, Set<String> names, ScriptExpressions expressions, BodyLimits limits) {
        return new BodyReader(source, names, expressions, limits).read();
    }

    String source() {
        return source;
    }

    List<Part> parts() {
        return parts;
    }
}
