package dev.flowstone.kernel.json;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

/** Counts the cases of one suite, and reports them in one line. */
final class SuiteTally {
    private final String suite;
    private final List<String> unsupported = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private int ran;

    SuiteTally(String suite) {
        this.suite = suite;
    }

    void check(String name, boolean passed) {
        ran++;
        if (!passed) {
            failed.add(name);
        }
    }

    /** A case whose expectation is deliberately not met. */
    void unsupported(String name) {
        ran++;
        unsupported.add(name);
    }

    /** Prints the line; fails if a case did, or if there were none. */
    void report() {
        int passed = ran - unsupported.size() - failed.size();
        System.out.printf(
                "suite %s: %d ran, %d passed, %d unsupported, %d failed%s%n",
                suite,
                ran,
                passed,
                unsupported.size(),
                failed.size(),
                unsupported.isEmpty() ? "" : " (unsupported: " + String.join(", ", unsupported) + ")");
        assertTrue(failed.isEmpty(), () -> suite + ": " + failed);
        assertTrue(passed > 0, () -> suite + ": no cases found");
    }
}
