package dev.flowstone.triggers.event;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many executions have started each other by events up to one. It travels in the correlation id, which children inherit: {@code
 * ROOT~event-N}.
 *
 * @param root the correlation id of the first of them
 * @param length 0 if no event has started it
 */
public record EventChain(String root, int length) {
    /** Executions that may have started each other so. */
    public static final int MOST = 10;

    private static final int LONGEST = 128;
    private static final String MARK = "~event-";
    private static final Pattern FORM = Pattern.compile("(.*)" + MARK + "([1-9][0-9]{0,3})", Pattern.DOTALL);

    /** Of an execution of this correlation. */
    public static EventChain of(String correlation) {
        Matcher matcher = FORM.matcher(correlation);
        return matcher.matches()
                ? new EventChain(matcher.group(1), Integer.parseInt(matcher.group(2)))
                : new EventChain(correlation, 0);
    }

    /** What callers call their own, without what only the engine says of it: who could say so would have no event of it heard. */
    public static String ofCaller(String correlation) {
        String root = correlation;
        while (of(root).length() > 0) {
            root = of(root).root();
        }
        return root.isEmpty() ? correlation.replace('~', '-') : root;
    }

    /** With one more. */
    public EventChain next() {
        return new EventChain(root, length + 1);
    }

    public boolean isTooLong() {
        return length > MOST;
    }

    /** As the correlation id of who is at its end. */
    public String correlation() {
        if (length == 0) {
            return root;
        }
        String end = MARK + length;
        return root.substring(0, Math.min(root.length(), LONGEST - end.length())) + end;
    }
}
