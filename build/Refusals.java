import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares the refusals that the API's document names with those that tests were given: each operation's status and code has to be
 * provoked by some test of the server. Those tests have written both down, a line each, in {@code server/target/refusals.txt}:
 * {@code named OPERATION STATUS CODE} and {@code given OPERATION STATUS CODE}.
 *
 * <p>{@code ./flowstone check} removes the file before the tests, and does this after them. By hand, with what the last tests have
 * left: {@code java build/Refusals.java .}
 */
final class Refusals {
    private static final String LEFT = "server/target/refusals.txt";

    private final Set<String> named = new TreeSet<>();
    private final Set<String> given = new TreeSet<>();
    private final List<String> faults = new ArrayList<>();

    private Refusals() {}

    /** Where the server's tests leave them. */
    static Path file(Path home) {
        return home.resolve(LEFT);
    }

    static Refusals of(Path home) throws Exception {
        Refusals refusals = new Refusals();
        if (Files.exists(file(home))) {
            Files.readAllLines(file(home)).forEach(refusals::line);
        }
        if (refusals.named.isEmpty()) {
            refusals.faults.add("the server's tests have left no document's refusals in " + LEFT);
        }
        for (String refusal : refusals.named) {
            if (!refusals.given.contains(refusal)) {
                refusals.faults.add("no test was refused so: " + refusal);
            }
        }
        return refusals;
    }

    public static void main(String[] args) throws Exception {
        Refusals refusals = of(Path.of(args[0]));
        refusals.faults.forEach(System.out::println);
        System.out.println(refusals.summary());
        System.exit(refusals.faults.isEmpty() ? 0 : 1);
    }

    private void line(String line) {
        String[] words = line.split(" ", 2);
        switch (words[0]) {
            case "named" -> named.add(words[1]);
            case "given" -> given.add(words[1]);
            default -> faults.add(LEFT + " has a line of another form: " + line);
        }
    }

    /** Refusals that are named and were given to nobody. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    String summary() {
        long provoked = named.stream().filter(given::contains).count();
        return String.format(
                Locale.ROOT, "The API's document: %d refusals, %d given to some test", named.size(), provoked);
    }
}
