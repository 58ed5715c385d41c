package dev.flowstone.expression;

import java.util.ArrayList;
import java.util.List;

/** A compiled string of a template: text with holes. */
record TextTemplate(List<Part> parts) implements Compilation {
    static final String OPEN = "{{";
    private static final int BRACES = 2;

    sealed interface Part {}

    record Text(String text) implements Part {}

    /** @param offset where the expression begins in the string */
    record Hole(Script script, int offset) implements Part {}

    TextTemplate {
        parts = List.copyOf(parts);
    }

    /** Nothing but one expression, not even a space around the braces: its value keeps its type. */
    boolean isSingleExpression() {
        return parts.size() == 1 && parts.getFirst() instanceof Hole;
    }

    References references() {
        References all = References.NONE;
        for (Part part : parts) {
            if (part instanceof Hole hole) {
                all = all.and(hole.script.references());
            }
        }
        return all;
    }

    static Compilation compile(String source, ScriptCompiler compiler, ExpressionBudget budget) {
        List<Part> parts = new ArrayList<>();
        int written = 0;
        int open = source.indexOf(OPEN);
        while (open >= 0) {
            int from = open + BRACES;
            try {
                int end = SourceScan.closingBraces(source, from, budget.sourceDepth());
                if (end < 0) {
                    throw Fault.syntax(
                            "A {{ is not closed by }}; write {{ '{{' }} where the text itself has two braces.",
                            -BRACES);
                }
                if (open > written) {
                    parts.add(new Text(source.substring(written, open)));
                }
                parts.add(new Hole(compiler.script(source.substring(from, end)), from));
                written = end + BRACES;
            } catch (Fault fault) {
                return new Refused(fault.error(from));
            }
            if (parts.size() > budget.templateSteps() / ExpressionBudget.STEPS_PER_TEMPLATE_EXPRESSION) {
                return new Refused(
                        new Fault(Fault.Code.BUDGET_STEPS, "The text has too many expressions.", 0).error(open));
            }
            open = source.indexOf(OPEN, written);
        }
        if (written < source.length()) {
            parts.add(new Text(source.substring(written)));
        }
        return new TextTemplate(parts);
    }
}
