package dev.flowstone.dialect.fault;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * "Did you mean": the known name that a wrong one is most likely meant for. Case, hyphens and underscores don't count;
 * then a few typing errors are forgiven, more in a longer name; then a name that contains the other. The work per
 * instance is bounded, so that ten thousand wrong names among ten thousand known ones cost no more than a few. One
 * instance per definition; not thread-safe.
 */
public final class Nearest {
    private static final int LONGEST = 100;
    private static final int WORK = 10_000_000;

    private int work = WORK;

    /** The nearest of the names, if any is near; of equally near ones, the first. */
    public Optional<String> to(String wrong, Collection<String> names) {
        if (wrong.length() > LONGEST || wrong.isEmpty()) {
            return Optional.empty();
        }
        String plain = plain(wrong);
        Optional<String> best = Optional.empty();
        int least = Integer.MAX_VALUE;
        for (String name : names) {
            int distance = distance(plain, name);
            if (distance < least) {
                least = distance;
                best = Optional.of(name);
            }
        }
        return best;
    }

    /** A remedy: {@code did you mean 'x'?}, else the other one given. */
    public String orElse(String wrong, Collection<String> names, String otherwise) {
        return to(wrong, names)
                .map(name -> "did you mean " + Quoted.text(name) + "?")
                .orElse(otherwise);
    }

    /** How far apart; the largest int if too far to be meant. */
    private int distance(String wrong, String name) {
        if (name.length() > LONGEST || work <= 0) {
            return Integer.MAX_VALUE;
        }
        String known = plain(name);
        work -= known.length() + 1;
        if (known.equals(wrong)) {
            return 0;
        }
        int forgiven = forgiven(wrong, known);
        int typos = Math.abs(known.length() - wrong.length()) > forgiven ? forgiven + 1 : edits(wrong, known);
        if (typos <= forgiven) {
            return typos;
        }
        boolean within =
                Math.min(wrong.length(), known.length()) >= 3 && (known.contains(wrong) || wrong.contains(known));
        return within ? LONGEST + Math.abs(known.length() - wrong.length()) : Integer.MAX_VALUE;
    }

    private static int forgiven(String wrong, String known) {
        return Math.max(1, Math.min(wrong.length(), known.length()) / 3);
    }

    /** Insertions, deletions, replacements, and swaps of neighbours (optimal string alignment). */
    private int edits(String a, String b) {
        work -= a.length() * b.length();
        int[] two = new int[b.length() + 1];
        int[] above = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], above[j]) + 1, above[j - 1] + change);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    row[j] = Math.min(row[j], two[j - 2] + 1);
                }
            }
            int[] spare = two;
            two = above;
            above = row;
            row = spare;
        }
        return above[b.length()];
    }

    private static String plain(String name) {
        return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
