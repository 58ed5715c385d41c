import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares {@code docs/dataflow-coverage.md}, which says of each statement of a specification what proves it, with the tests
 * that ran: each that the page names has to be among them, under that name.
 *
 * <p>{@code ./flowstone check} does this once all modules are tested. By hand, with the reports that the last
 * {@code mvn verify} has left: {@code java build/Coverage.java .}
 */
final class Coverage {
    static final String PAGE = "docs/dataflow-coverage.md";

    /** A bar that isn't escaped. */
    private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\|");

    private static final Pattern TEST = Pattern.compile("`([\\w.$]+#\\w+)`");
    private static final Pattern TESTS = Pattern.compile("-|" + TEST + "( *, *" + TEST + ")*");

    private final Map<String, Set<Reports.Outcome>> ran = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    /** By part, statements without a test. */
    private final Map<String, Integer> open = new TreeMap<>();

    private int statements;
    private int proven;
    private int failed;
    private int skipped;

    private Coverage() {}

    static Coverage of(Path home, List<Reports.Result> results) throws Exception {
        Coverage coverage = new Coverage();
        for (Reports.Result result : results) {
            coverage.ran
                    .computeIfAbsent(result.test(), test -> EnumSet.noneOf(Reports.Outcome.class))
                    .add(result.outcome());
        }
        List<String> lines = Files.readAllLines(home.resolve(PAGE));
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("|")) {
                coverage.row(PAGE + ":" + (i + 1), lines.get(i));
            }
        }
        if (coverage.statements == 0) {
            coverage.faults.add(PAGE + " has no statements");
        }
        return coverage;
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Coverage coverage = of(home, Reports.read(home));
        coverage.faults.forEach(System.out::println);
        System.out.println(coverage.summary());
        System.exit(coverage.faults.isEmpty() && coverage.failed == 0 ? 0 : 1);
    }

    /** Lines that can't be read, and tests that did not run. Those that ran and failed are counted, and told elsewhere. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    String summary() {
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, "%s: %d statements, %d proven", PAGE, statements, proven));
        if (failed > 0) {
            text.append(", ").append(failed).append(" whose test failed");
        }
        if (skipped > 0) {
            text.append(", ").append(skipped).append(" whose test was skipped");
        }
        open.forEach((part, count) ->
                text.append(", ").append(count).append(" of part ").append(part).append(" without a test"));
        return text.toString();
    }

    private void row(String place, String line) {
        String[] cells = CELL.split(line.strip());
        // Before the first bar is nothing.
        if (cells.length == 5
                && (cells[1].strip().equals("§") || cells[1].strip().matches(":?-+:?"))) {
            return;
        }
        if (cells.length != 5
                || !TESTS.matcher(cells[3].strip()).matches()
                || !cells[4].strip().matches("[0-9]+")) {
            faults.add(place + " is no line of the form | § | what must hold | `package.Class#method` or - | part |");
            return;
        }
        statements++;
        if (cells[3].strip().equals("-")) {
            open.merge(cells[4].strip(), 1, Integer::sum);
            return;
        }
        EnumSet<Reports.Outcome> outcomes = EnumSet.noneOf(Reports.Outcome.class);
        boolean known = true;
        for (Matcher tests = TEST.matcher(cells[3]); tests.find(); ) {
            String test = tests.group(1);
            if (ran.containsKey(test)) {
                outcomes.add(outcome(ran.get(test)));
            } else {
                known = false;
                faults.add(place + " names " + test + ", which did not run");
            }
        }
        if (outcomes.contains(Reports.Outcome.FAILED)) {
            failed++;
        } else if (outcomes.contains(Reports.Outcome.SKIPPED)) {
            skipped++;
        } else if (known) {
            proven++;
        }
    }

    /** A row that failed fails the test, whatever others did; a test is skipped only if all of it is. */
    private static Reports.Outcome outcome(Set<Reports.Outcome> rows) {
        if (rows.contains(Reports.Outcome.FAILED)) {
            return Reports.Outcome.FAILED;
        }
        return rows.contains(Reports.Outcome.PASSED) ? Reports.Outcome.PASSED : Reports.Outcome.SKIPPED;
    }
}
