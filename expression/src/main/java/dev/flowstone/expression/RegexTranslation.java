package dev.flowstone.expression;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * From JavaScript's notation for regular expressions to RE2's, where the two mean the same; the rest is refused. Counts
 * what the repetitions unfold to, so that {@code ((a{100}){100}){100}} is refused before it is compiled.
 */
final class RegexTranslation {
    /** Instructions, roughly. Bounds the matcher's recursion too, which must fit a small stack. */
    static final int MOST_INSTRUCTIONS = 256;

    private static final String SPACE =
            "\\t\\n\\v\\f\\r \\x{a0}\\x{feff}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";
    private static final String LINE_END = "\\n\\r\\x{2028}\\x{2029}";

    private final String source;
    private final boolean dotAll;
    private final int position;
    private final StringBuilder out = new StringBuilder();
    private final Deque<Long> enclosing = new ArrayDeque<>();
    private long size;
    private long lastSize;
    private int at;

    RegexTranslation(String source, boolean dotAll, int position) {
        this.source = source;
        this.dotAll = dotAll;
        this.position = position;
    }

    String translate() {
        while (at < source.length()) {
            char next = source.charAt(at);
            switch (next) {
                case '(' -> open();
                case ')' -> close();
                case '[' -> characterClass();
                case '{' -> repeat();
                case '*', '+', '?' -> copy(next, 1, false);
                case '|', '^', '$' -> copy(next, 1, true);
                case '.' -> atom(dotAll ? "(?s:.)" : "[^" + LINE_END + "]", 1);
                case '\\' -> atom(escape(false), 1);
                default -> copy(next, 1, true);
            }
            if (size > MOST_INSTRUCTIONS) {
                throw refused("unfolds to more than " + MOST_INSTRUCTIONS + " instructions");
            }
        }
        return out.toString();
    }

    private void copy(char next, int cost, boolean isAtom) {
        out.append(next);
        size += cost;
        at++;
        if (isAtom) {
            lastSize = cost;
        }
    }

    private void atom(String translated, int consumed) {
        out.append(translated);
        at += consumed;
        size++;
        lastSize = 1;
    }

    private void open() {
        if (source.startsWith("(?", at) && !source.startsWith("(?:", at)) {
            boolean named =
                    source.startsWith("(?<", at) && !source.startsWith("(?<=", at) && !source.startsWith("(?<!", at);
            if (!named) {
                throw refused("looks around or sets flags inside");
            }
            out.append("(?P<");
            at += 3;
        } else if (source.startsWith("(?:", at)) {
            out.append("(?:");
            at += 3;
        } else {
            out.append('(');
            at++;
        }
        enclosing.push(size);
        size = 2;
    }

    private void close() {
        if (enclosing.isEmpty()) {
            throw refused("has a ')' too many");
        }
        out.append(')');
        at++;
        lastSize = size;
        size += enclosing.pop();
    }

    private void repeat() {
        int end = source.indexOf('}', at);
        String bounds = end < 0 ? "" : source.substring(at + 1, end);
        if (!bounds.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            throw refused("has a '{' that is no repetition; write \\{");
        }
        int comma = bounds.indexOf(',');
        long least = Long.parseLong(comma < 0 ? bounds : bounds.substring(0, comma));
        String upper = comma < 0 ? "" : bounds.substring(comma + 1);
        long times = upper.isEmpty() ? least + 1 : Long.parseLong(upper) * 2;
        size += lastSize * times;
        out.append('{').append(bounds).append('}');
        at = end + 1;
    }

    private void characterClass() {
        out.append('[');
        at++;
        if (at < source.length() && source.charAt(at) == '^') {
            out.append('^');
            at++;
        }
        if (at < source.length() && source.charAt(at) == ']') {
            throw refused("has an empty character class");
        }
        while (at < source.length() && source.charAt(at) != ']') {
            char next = source.charAt(at);
            if (next == '\\') {
                out.append(escape(true));
            } else {
                out.append(next == '[' ? "\\[" : String.valueOf(next));
            }
            at++;
        }
        if (at == source.length()) {
            throw refused("has a '[' without ']'");
        }
        atom("]", 1);
    }

    /** The translation of the escape at this place; leaves {@link #at} on its last character. */
    private String escape(boolean inClass) {
        at++;
        char kind = at < source.length() ? source.charAt(at) : '\0';
        return switch (kind) {
            case 'd', 'D', 'w', 'W', 'n', 'r', 't', 'f', 'v' -> "\\" + kind;
            case 's' -> inClass ? SPACE : "[" + SPACE + "]";
            case 'S' -> {
                if (inClass) {
                    throw refused("has \\S in a character class");
                }
                yield "[^" + SPACE + "]";
            }
            case 'b', 'B' -> {
                if (inClass) {
                    throw refused("has \\" + kind + " in a character class");
                }
                yield "\\" + kind;
            }
            case 'u' -> hexadecimal(4);
            case 'x' -> hexadecimal(2);
            default -> {
                if (kind > ' ' && kind < 0x7F && !Character.isLetterOrDigit(kind)) {
                    yield "\\" + kind;
                }
                throw refused("has an escape that is not supported here");
            }
        };
    }

    private String hexadecimal(int digits) {
        int from = at + 1;
        at += digits;
        if (at >= source.length() || !source.substring(from, at + 1).matches("[0-9a-fA-F]+")) {
            throw refused("has a broken character escape");
        }
        return "\\x{" + source.substring(from, at + 1) + "}";
    }

    private Fault refused(String why) {
        return Fault.syntax("The regular expression " + Fault.quote(source) + " " + why + ".", position);
    }
}
