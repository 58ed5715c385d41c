package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The strict form against RFC 8785's own test data (Apache-2.0) and its appendix B. */
final class Rfc8785SuiteTest {
    @Test
    void writesTheBytesOfTheSuite() throws IOException, JsonSyntaxException {
        SuiteTally tally = new SuiteTally("jcs");
        for (Path input : SharedSuites.files("jcs/input")) {
            String name = input.getFileName().toString();
            String written =
                    HexFormat.of().formatHex(CanonicalJson.strict(JsonParser.parse(Files.readAllBytes(input))));
            Path hex = SharedSuites.path("jcs/outhex/" + name.replace(".json", ".txt"));
            Path output = SharedSuites.path("jcs/output/" + name);
            String expected = Files.readString(hex).replaceAll("\\s", "");
            tally.check(name, written.equals(expected) && sameText(expected, output));
        }
        tally.report();
    }

    private static boolean sameText(String hex, Path output) throws IOException {
        String text = new String(HexFormat.of().parseHex(hex), UTF_8);
        return Files.readString(output).stripTrailing().equals(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void writesTheNumbersOfAppendixB(String bits, String expected) {
        JsonNumber number = JsonNumber.of(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16)));

        assertEquals(expected, new String(CanonicalJson.strict(number), UTF_8));
        // The shortest decimal of a double has the same bytes in both forms.
        assertEquals(expected, CanonicalJson.exactText(number));
    }
}
