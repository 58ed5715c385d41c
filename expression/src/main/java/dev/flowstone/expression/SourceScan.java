package dev.flowstone.expression;

import java.util.Set;

/**
 * Reads over source text without recursion, knowing strings, template literals, regular expressions and brackets: finds
 * where an expression in a template ends, and refuses too deep a nesting before a recursive parser sees it.
 */
final class SourceScan {
    /** Words after which a slash begins a regular expression. */
    private static final Set<String> BEFORE_OPERAND =
            Set.of("typeof", "void", "delete", "in", "instanceof", "new", "return", "of", "case");

    private final String text;
    private final boolean stopsAtBraces;
    private final char[] open;
    private int depth;
    private int tokens;
    private int position;
    private boolean afterOperand;

    private SourceScan(String text, int from, int mostDepth, boolean stopsAtBraces) {
        this.text = text;
        this.position = from;
        this.open = new char[mostDepth];
        this.stopsAtBraces = stopsAtBraces;
    }

    /**
     * Refuses what must not reach the parser.
     *
     * @return the tokens of the source, operators counted by their characters: a recursive parser goes at most so deep
     */
    static int check(String source, int mostDepth) {
        SourceScan scan = new SourceScan(source, 0, mostDepth, false);
        scan.run();
        return scan.tokens;
    }

    /** Where the two braces are that close an expression beginning at {@code from}; -1 if nothing closes it. */
    static int closingBraces(String text, int from, int mostDepth) {
        SourceScan scan = new SourceScan(text, from, mostDepth, true);
        return scan.run() ? scan.position : -1;
    }

    private boolean run() {
        while (position < text.length()) {
            if (depth > 0 && open[depth - 1] == '`') {
                templateLiteral();
            } else if (stopsAtBraces && depth == 0 && text.startsWith("}}", position)) {
                return true;
            } else {
                token(text.charAt(position));
            }
        }
        return false;
    }

    private void token(char next) {
        tokens += JavaScriptSpace.isSpace(next) ? 0 : 1;
        switch (next) {
            case '\'', '"' -> string(next);
            case '`', '(', '[', '{' -> push(next);
            case ')', ']', '}' -> pop();
            case '/' -> slash();
            case '<', '-' -> arrowOrComment();
            case '\\' -> throw Fault.syntax("Escapes in names are not part of the expression language.", position);
            default -> {
                if (Character.isJavaIdentifierPart(next)) {
                    word();
                } else {
                    afterOperand = afterOperand && JavaScriptSpace.isSpace(next);
                    position++;
                }
            }
        }
    }

    private void push(char bracket) {
        if (depth == open.length) {
            throw new Fault(
                    Fault.Code.BUDGET_DEPTH,
                    "The expression is nested more than " + open.length + " levels deep.",
                    position);
        }
        open[depth++] = bracket;
        afterOperand = false;
        position++;
    }

    private void pop() {
        if (depth > 0) {
            depth--;
        }
        afterOperand = true;
        position++;
    }

    private void string(char quote) {
        position++;
        while (position < text.length() && text.charAt(position) != quote && text.charAt(position) != '\n') {
            position += text.charAt(position) == '\\' ? 2 : 1;
        }
        position++;
        afterOperand = true;
    }

    private void templateLiteral() {
        char next = text.charAt(position);
        if (next == '`') {
            pop();
        } else if (text.startsWith("${", position)) {
            position++;
            push('{');
        } else {
            position += next == '\\' ? 2 : 1;
        }
    }

    private void slash() {
        if (text.startsWith("//", position) || text.startsWith("/*", position)) {
            throw noComments();
        }
        if (afterOperand) {
            afterOperand = false;
            position++;
        } else {
            regularExpression();
        }
    }

    private void regularExpression() {
        boolean inClass = false;
        position++;
        while (position < text.length() && text.charAt(position) != '\n') {
            char next = text.charAt(position);
            if (next == '/' && !inClass) {
                break;
            }
            inClass = next == '[' || (inClass && next != ']');
            position += next == '\\' ? 2 : 1;
        }
        position++;
        afterOperand = true;
    }

    private void arrowOrComment() {
        if (text.startsWith("<!--", position) || text.startsWith("-->", position)) {
            throw noComments();
        }
        afterOperand = false;
        position++;
    }

    private Fault noComments() {
        return Fault.syntax("Comments are not part of the expression language.", position);
    }

    private void word() {
        int from = position;
        while (position < text.length() && Character.isJavaIdentifierPart(text.charAt(position))) {
            position++;
        }
        boolean member = from > 0 && text.charAt(from - 1) == '.';
        afterOperand = member || !BEFORE_OPERAND.contains(text.substring(from, position));
    }
}
