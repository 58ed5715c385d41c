package dev.flowstone.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A refusal that the API's document names and that no test was given fails {@code ./flowstone check}: {@code build/Refusals.java}
 * looks for it where all tests of the server have run, and is put to the test here.
 */
final class RefusalsTest {
    @TempDir
    private Path home;

    private List<String> compare(String... lines) throws Exception {
        Path file = home.resolve("server/target/refusals.txt");
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
        return BuildSource.run("Refusals.java", home);
    }

    @Test
    void whatIsNamedAndGivenIsCounted() throws Exception {
        assertEquals(
                List.of("0", "The API's document: 2 refusals, 2 given to some test"),
                compare(
                        "named claimTask 409 CONFLICT",
                        "given claimTask 409 CONFLICT",
                        "given getTask 404 NOT_FOUND",
                        "named getTask 404 NOT_FOUND"));
    }

    @Test
    void whatNoTestWasGivenIsNamed() throws Exception {
        assertEquals(
                List.of(
                        "1",
                        "no test was refused so: claimTask 409 CONFLICT",
                        "no test was refused so: getTask 404 NOT_FOUND",
                        "The API's document: 3 refusals, 1 given to some test"),
                compare(
                        "named claimTask 409 CONFLICT",
                        "named claimTask 404 NOT_FOUND",
                        "named getTask 404 NOT_FOUND",
                        "given claimTask 404 NOT_FOUND",
                        "given claimTask 409 NOT_FOUND"));
    }

    @Test
    void noLineEscapesByItsForm() throws Exception {
        assertEquals(
                List.of(
                        "1",
                        "server/target/refusals.txt has a line of another form: told getTask 404 NOT_FOUND",
                        "The API's document: 1 refusals, 1 given to some test"),
                compare("named getTask 404 NOT_FOUND", "given getTask 404 NOT_FOUND", "told getTask 404 NOT_FOUND"));
    }

    @Test
    void whereNoTestHasRunNothingIsProven() throws Exception {
        List<String> nothing = List.of(
                "1",
                "the server's tests have left no document's refusals in server/target/refusals.txt",
                "The API's document: 0 refusals, 0 given to some test");
        assertEquals(nothing, BuildSource.run("Refusals.java", home));
        assertEquals(nothing, compare("given getTask 404 NOT_FOUND"));
    }
}
