package dev.flowstone.kernel.json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** JSONTestSuite (MIT): what must parse, what must not, and what may do either but never crash. */
final class JsonTestSuiteTest {
    /** The suite follows the grammar, which allows duplicate names; this parser's contract refuses them. */
    private static final Set<String> DUPLICATES =
            Set.of("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json");

    private enum Answer {
        ACCEPTED,
        REFUSED,
        /** Accepted, and written as something else. */
        CHANGED
    }

    @Test
    void answersEveryTextOfTheSuite() throws IOException {
        SuiteTally tally = new SuiteTally("json");
        for (Path file : SharedSuites.files("json/test_parsing")) {
            String name = file.getFileName().toString();
            Answer answer = answer(Files.readAllBytes(file));
            if (DUPLICATES.contains(name) && answer == Answer.REFUSED) {
                tally.unsupported(name);
            } else {
                tally.check(name, isRight(name, answer));
            }
        }
        tally.report();
    }

    private static boolean isRight(String name, Answer answer) {
        return switch (name.charAt(0)) {
            case 'y' -> answer == Answer.ACCEPTED;
            case 'n' -> answer == Answer.REFUSED;
            default -> answer != Answer.CHANGED;
        };
    }

    private static Answer answer(byte[] text) {
        try {
            JsonValue value = JsonParser.parse(text);
            boolean same = JsonParser.parse(CanonicalJson.exact(value)).equals(value);
            return same ? Answer.ACCEPTED : Answer.CHANGED;
        } catch (JsonSyntaxException ignored) {
            return Answer.REFUSED;
        }
    }
}
