package dev.flowstone.templates.body;

import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.expression.ScriptExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a body at its braces, in one pass. A tag that stands alone on its line takes the line with it, so that tags leave no empty lines
 * behind; {@code {%-}, {@code -%}}, {@code {{-} and {@code -}}} take all space on their side, and then the line is the author's affair.
 */
final class Lexer {
    private static final int BRACES = 2;
    private static final Pattern END_OF_RAW = Pattern.compile("\\{%(-)?\\s*+endraw\\s*+(-)?%}");
    private static final Pattern END_OF_COMMENT = Pattern.compile("\\{%(-)?\\s*+endcomment\\s*+(-)?%}");

    private final String source;
    private final ScriptExpressions expressions;
    private final int most;
    private final List<Piece> pieces = new ArrayList<>();

    /** Up to where the source is in pieces. */
    private int done;

    Lexer(String source, ScriptExpressions expressions, int most) {
        this.source = source;
        this.expressions = expressions;
        this.most = most;
    }

    List<Piece> pieces() throws BodyFaultException {
        for (int open = next(0); open >= 0; open = next(done)) {
            if (pieces.size() >= most) {
                throw fault(
                        open, BodyFault.TOO_LARGE, "the body has more than " + most + " parts", "split the template");
            }
            if (source.charAt(open + 1) == '{') {
                hole(open);
            } else {
                tag(open);
            }
        }
        literal(source.length());
        return pieces;
    }

    private int next(int from) {
        for (int at = source.indexOf('{', from);
                at >= 0 && at + 1 < source.length();
                at = source.indexOf('{', at + 1)) {
            if (source.charAt(at + 1) == '{' || source.charAt(at + 1) == '%') {
                return at;
            }
        }
        return -1;
    }

    private void hole(int open) throws BodyFaultException {
        boolean trimsBefore = source.startsWith("-", open + BRACES);
        int from = open + BRACES + (trimsBefore ? 1 : 0);
        int end = expressions.closingBraces(source, from);
        if (end < 0) {
            throw fault(
                    open,
                    BodyFault.SYNTAX,
                    "a {{ is not closed by }}, or what is in it is no expression",
                    "close it; write {{ '{{' }} where the text itself has two braces");
        }
        boolean trimsBehind = trims(from, end);
        before(open, trimsBefore, false);
        pieces.add(new Piece.Hole(open, source.substring(from, trimsBehind ? end - 1 : end), from));
        behind(end + BRACES, trimsBehind, false);
    }

    private void tag(int open) throws BodyFaultException {
        int end = closingTag(open + BRACES);
        if (end < 0) {
            throw fault(open, BodyFault.SYNTAX, "a {% is not closed by %}", "close it");
        }
        boolean trimsBefore = source.startsWith("-", open + BRACES);
        int from = open + BRACES + (trimsBefore ? 1 : 0);
        boolean trimsBehind = trims(from, end);
        String inside = source.substring(from, trimsBehind ? end - 1 : end);
        String word = inside.strip().split("\\s", 2)[0];
        int behind = inside.indexOf(word) + word.length();
        String rest = inside.substring(behind).strip();
        int restFrom = from + behind + inside.substring(behind).indexOf(rest);
        int close = end + BRACES;
        switch (word) {
            case "raw" -> {
                Matcher matcher = end(END_OF_RAW, close, "raw", open);
                cut(open, close, trimsBefore, trimsBehind, Optional.empty());
                cut(
                        matcher.start(),
                        matcher.end(),
                        matcher.group(1) != null,
                        matcher.group(2) != null,
                        Optional.empty());
            }
            case "comment" -> {
                Matcher matcher = end(END_OF_COMMENT, close, "comment", open);
                cut(open, matcher.end(), trimsBefore, matcher.group(2) != null, Optional.empty());
            }
            default ->
                cut(open, close, trimsBefore, trimsBehind, Optional.of(new Piece.Tag(open, word, rest, restFrom)));
        }
    }

    private boolean trims(int from, int end) {
        return end > from && source.charAt(end - 1) == '-';
    }

    /** Puts a piece, or nothing, in the place of what is from one offset to another. */
    private void cut(int open, int close, boolean trimsBefore, boolean trimsBehind, Optional<Piece> piece) {
        boolean takesLine = !trimsBefore && !trimsBehind && isAlone(open, close);
        before(open, trimsBefore, takesLine);
        piece.ifPresent(pieces::add);
        behind(close, trimsBehind, takesLine);
    }

    private Matcher end(Pattern pattern, int from, String word, int open) throws BodyFaultException {
        Matcher matcher = pattern.matcher(source);
        if (!matcher.find(from)) {
            throw fault(
                    open, BodyFault.SYNTAX, "{% " + word + " %} has no end", "write {% end" + word + " %} behind it");
        }
        return matcher;
    }

    /** Outside of texts. */
    private int closingTag(int from) {
        int at = from;
        while (at < source.length()) {
            char next = source.charAt(at);
            if (next == '%' && source.startsWith("%}", at)) {
                return at;
            }
            at = next == '\'' || next == '"' || next == '`' ? behindText(at + 1, next) : at + 1;
        }
        return -1;
    }

    private int behindText(int from, char quote) {
        int at = from;
        while (at < source.length() && source.charAt(at) != quote) {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private void before(int open, boolean trims, boolean takesLine) {
        int end = open;
        if (trims) {
            while (end > done && Character.isWhitespace(source.charAt(end - 1))) {
                end--;
            }
        } else if (takesLine) {
            end = Math.max(done, lineStart(open));
        }
        literal(end);
    }

    private void behind(int close, boolean trims, boolean takesLine) {
        done = close;
        if (trims) {
            while (done < source.length() && Character.isWhitespace(source.charAt(done))) {
                done++;
            }
        } else if (takesLine) {
            done = Math.min(source.length(), lineEnd(close) + 1);
        }
    }

    private boolean isAlone(int open, int close) {
        int begin = lineStart(open);
        int end = lineEnd(close);
        return (begin == 0 || source.charAt(begin - 1) == '\n')
                && (end == source.length() || source.charAt(end) == '\n');
    }

    /** Behind the last character before that is no blank: a line's beginning if that is a newline. */
    private int lineStart(int at) {
        int begin = at;
        while (begin > 0 && isBlank(source.charAt(begin - 1))) {
            begin--;
        }
        return begin;
    }

    private int lineEnd(int at) {
        int end = at;
        while (end < source.length() && isBlank(source.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isBlank(char next) {
        return next == ' ' || next == '\t' || next == '\r';
    }

    private void literal(int end) {
        if (end > done) {
            pieces.add(new Piece.Literal(done, source.substring(done, end)));
        }
        done = Math.max(done, end);
    }

    private BodyFaultException fault(int offset, String code, String message, String remedy) {
        return new BodyFaultException(BodyFault.at(source, offset, code, Quoted.cut(message, 300), remedy));
    }
}
