package dev.flowstone.expression;

import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.ast.IdeErrorReporter;

/**
 * Ends parsing at the first error. The words are ours: the parser's own depend on the machine's locale, and a recorded
 * error must not.
 */
final class ParserFaults implements IdeErrorReporter {
    private static final int SHOWN_CHARS = 20;

    private final String source;

    ParserFaults(String source) {
        this.source = source;
    }

    @Override
    public void warning(String message, String sourceName, int offset, int length) {
        // A warning is about style.
    }

    @Override
    public void warning(String message, String sourceName, int line, String lineSource, int lineOffset) {
        // A warning is about style.
    }

    @Override
    public void error(String message, String sourceName, int offset, int length) {
        throw fault(offset - 1);
    }

    @Override
    public void error(String message, String sourceName, int line, String lineSource, int lineOffset) {
        throw fault(-1);
    }

    @Override
    public EvaluatorException runtimeError(
            String message, String sourceName, int line, String lineSource, int lineOffset) {
        throw fault(-1);
    }

    private Fault fault(int offset) {
        if (offset < 0) {
            return Fault.syntax("The expression is not understood.", -1);
        }
        if (offset >= source.length()) {
            return Fault.syntax("The expression ends too early; something is missing.", source.length());
        }
        String rest = source.substring(offset);
        String shown = rest.length() <= SHOWN_CHARS ? rest : Fault.cut(rest, SHOWN_CHARS);
        return Fault.syntax("The expression is not understood from " + Fault.quote(shown) + " on.", offset);
    }
}
