package dev.flowstone.connectors.secret;

import java.util.Arrays;

/** One way to write a secret. An escaped one is found however each of its characters is written: as it is, or as {@link Escapes} knows. */
final class SecretForm {
    /** No text is read in more ways at once; only such as have many escapes of escapes could be. */
    private static final int WAYS = 4;

    /** Of what is begun at a cut. Fewer characters tell little, and are found there by chance. */
    private static final int SHORTEST = 3;

    /** One behind the other, at least one. */
    private final int[] codePoints;

    private final boolean escaped;

    private SecretForm(int[] codePoints, boolean escaped) {
        this.codePoints = codePoints;
        this.escaped = escaped;
    }

    /** That stands in texts as it is, and no other way. */
    static SecretForm exact(String text) {
        return new SecretForm(text.codePoints().toArray(), false);
    }

    /** Any of whose characters may be escaped. */
    static SecretForm escaped(String text) {
        return new SecretForm(text.codePoints().toArray(), true);
    }

    /**
     * Where it ends in a text, if it begins at a place, or -1 if it doesn't.
     *
     * @param cut whether the text goes on where nobody sees it: then what is begun at its end counts as found
     */
    int end(String text, int from, boolean cut, Budget budget) {
        budget.spend();
        if (text.codePointAt(from) != codePoints[0] && !(escaped && Escapes.mayBegin(text.charAt(from)))) {
            return -1;
        }
        int[] ends = {from};
        int count = 1;
        for (int codePoint : codePoints) {
            int[] next = new int[WAYS];
            int found = 0;
            for (int i = 0; i < count; i++) {
                int at = ends[i];
                budget.spend();
                if (cut && at - from >= SHORTEST && isEnd(text, at)) {
                    return text.length();
                }
                if (at < text.length() && text.codePointAt(at) == codePoint) {
                    found = add(next, found, at + Character.charCount(codePoint));
                }
                if (escaped) {
                    int behind = Escapes.end(text, at, codePoint);
                    found = behind < 0 ? found : add(next, found, behind);
                }
            }
            if (found == 0) {
                return -1;
            }
            ends = next;
            count = found;
        }
        return Arrays.stream(ends, 0, count).max().orElse(-1);
    }

    private boolean isEnd(String text, int at) {
        return at == text.length() || (escaped && Escapes.isBegun(text, at));
    }

    private static int add(int[] ends, int count, int end) {
        for (int i = 0; i < count; i++) {
            if (ends[i] == end) {
                return count;
            }
        }
        if (count == WAYS) {
            return count;
        }
        ends[count] = end;
        return count + 1;
    }

    /** How many steps may still be made; none is refused, who looks says when it is enough. */
    static final class Budget {
        private long left;

        Budget(long steps) {
            left = steps;
        }

        void spend() {
            left--;
        }

        boolean isSpent() {
            return left < 0;
        }
    }
}
