package dev.flowstone.dialect.fault;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A user's text inside our messages: in single quotes, cut to a readable length, without anything that a terminal or a
 * log would obey.
 */
public final class Quoted {
    private static final int READABLE = 60;
    private static final int LISTED = 8;

    private Quoted() {}

    public static String text(String text) {
        return "'" + cut(text, READABLE) + "'";
    }

    /** {@code 'a', 'b' or 'c'}; a long list ends in how many more there are. */
    public static String choice(Collection<String> texts) {
        List<String> quoted = new ArrayList<>();
        for (String each : texts) {
            if (quoted.size() == LISTED && texts.size() > LISTED + 1) {
                quoted.add((texts.size() - LISTED) + " more");
                break;
            }
            quoted.add(text(each));
        }
        return switch (quoted.size()) {
            case 0 -> "nothing";
            case 1 -> quoted.getFirst();
            default -> String.join(", ", quoted.subList(0, quoted.size() - 1)) + " or " + quoted.getLast();
        };
    }

    /** At most {@code length} characters, an ellipsis for the rest, control characters escaped. */
    public static String cut(String text, int length) {
        StringBuilder out = new StringBuilder();
        int end = Math.min(text.length(), length);
        if (end > 0 && end < text.length() && Character.isSurrogatePair(text.charAt(end - 1), text.charAt(end))) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            append(out, text, i);
        }
        return text.length() > length ? out.append('…').toString() : out.toString();
    }

    private static void append(StringBuilder out, String text, int at) {
        char c = text.charAt(at);
        boolean plain = !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT && !halved(text, at);
        if (plain) {
            out.append(c);
        } else {
            out.append("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) {
                out.append(Character.forDigit((c >> shift) & 0xF, 16));
            }
        }
    }

    private static boolean halved(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
