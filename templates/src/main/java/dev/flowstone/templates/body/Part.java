package dev.flowstone.templates.body;

import dev.flowstone.kernel.json.JsonString;
import java.util.List;

/** What a body is made of. Offsets go into its source. */
sealed interface Part {
    record Text(String text) implements Part {}

    /** An expression whose value is put into the text. */
    record Hole(Expression expression) implements Part {}

    /** The first branch whose condition holds; {@code otherwise} if none does. */
    record Choice(List<Branch> branches, List<Part> otherwise) implements Part {
        public Choice {
            branches = List.copyOf(branches);
            otherwise = List.copyOf(otherwise);
        }
    }

    record Branch(Expression condition, List<Part> parts) {
        public Branch {
            parts = List.copyOf(parts);
        }
    }

    /** Once for each item; {@code otherwise} if there is none. */
    record Loop(String name, Expression list, List<Part> parts, List<Part> otherwise) implements Part {
        public Loop {
            parts = List.copyOf(parts);
            otherwise = List.copyOf(otherwise);
        }
    }

    /**
     * An expression of the language that parameters have.
     *
     * @param offset where it begins in the body
     */
    record Expression(String source, int offset) {
        private static final String OPEN = "{{";

        /** As a template that gives its value. */
        JsonString value() {
            return new JsonString(OPEN + source + "}}");
        }

        /** As a template that gives its text, behind one space: what isn't alone in a template is text there. */
        JsonString text() {
            return new JsonString(" " + OPEN + source + "}}");
        }

        /** Where in the body a place of {@link #value} is; of {@link #text} one less. */
        int placeOf(int position) {
            return position < 0 ? offset : offset + Math.max(0, position - OPEN.length());
        }
    }
}
