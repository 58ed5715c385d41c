package dev.flowstone.server.help;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of faults of a page: a row for each code, with three columns. Of the two behind the code, the middle one may be a word. */
final class FaultTable {
    private static final Pattern ROW = Pattern.compile("\\| `([A-Z][A-Z0-9_-]*)` \\| (.+?) \\| (.+?) \\|");
    private static final String HEADING = "## Faults";

    private FaultTable() {}

    static List<Explanation> of(String page, String group) {
        String behind = page.substring(page.indexOf(HEADING) + HEADING.length());
        int end = behind.indexOf("\n## ");
        return (end < 0 ? behind : behind.substring(0, end))
                .lines()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> explanation(row, group))
                .toList();
    }

    private static Explanation explanation(Matcher row, String group) {
        String second = row.group(2);
        String third = row.group(3);
        boolean judged = second.equals("refused") || second.equals("warning");
        return judged
                ? new Explanation(
                        row.group(1), group, HelpText.plain(third), "**" + third + "** *" + capital(second) + ".*")
                : new Explanation(
                        row.group(1),
                        group,
                        HelpText.plain(capital(second)),
                        "**" + capital(second) + ".**\n\n*What to do*: " + third + ".");
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
