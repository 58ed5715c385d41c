package dev.flowstone.testkit.scenario.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonParser.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SourcesTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static JsonParser.Located yaml(String text) throws SourceException {
        return Sources.read("a.yaml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static SourceException refused(String text) {
        return assertThrows(SourceException.class, () -> assertTimeoutPreemptively(SOON, () -> yaml(text)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            no                          | "no"
            ~                           | null
            null                        | null
            True                        | true
            '1'                         | "1"
            2026-01-01                  | "2026-01-01"
            12:30:45                    | "12:30:45"
            0x1F                        | 31
            0o17                        | 15
            017                         | 17
            +12.50                      | 12.5
            1e3                         | 1000
            7615917337495251231         | 7615917337495251231
            0.1000000000000000055       | 0.1000000000000000055
            {a: [1, {b: }]}             | {"a":[1,{"b":null}]}
            "\\u00e9\\n"                | "é\\n"
            {1: x, true: y}             | {"1":"x","true":"y"}
            [&a {x: 1}, *a]             | [{"x":1},{"x":1}]
            """)
    void aScalarIsWhatTheCoreSchemaSays(String text, String json) throws Exception {
        assertEquals(json, CanonicalJson.exactText(yaml(text).value()));
    }

    @Test
    void everyValueAndNameKnowsItsPlace() throws Exception {
        JsonParser.Located document = yaml("""
                # a comment
                a:
                  - b: 1
                    c: {d: [x, 'y']}
                """);

        assertEquals(new Place(4, 16), document.place("/a/0/c/d/1"));
        assertEquals(new Place(4, 5), document.namePlace("/a/0/c"));
        assertEquals(new Place(3, 8), document.place("/a/0/b"));
        assertEquals(new Place(3, 8), document.place("/a/0/b/not/there"), "of the nearest that encloses it");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            !!java.net.URL [x]                  | tags
            !!javax.script.ScriptEngineManager {}| tags
            a: !env x                           | tags
            !!str a: b                          | tags
            {a: 1, a: 2}                        | twice
            {? [a] : b}                         | a key is a plain text
            *nobody                             | nothing that stands complete
            &a [*a]                             | nothing that stands complete
            [1, 2                               | no YAML
            .inf                                | no number
            1e999999999                         | no number
            """)
    void refusesWhatIsNoPlainData(String text, String reason) {
        SourceException refused = refused(text);

        assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused::getMessage);
        assertEquals(1, refused.line());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   \n",
                "# only a comment\n",
                "---\n...\n---\na: 1\n",
                "a: 1\n---\nb: 2\n",
                "a: \"\\ud800\"",
                "a: \u0000"
            })
    void refusesWhatIsNotOneDocument(String text) {
        refused(text);
    }

    @Test
    void refusesABillionLaughsBeforeItLaughs() {
        StringBuilder text = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 10; i++) {
            text.append("a").append(i).append(": &a").append(i).append(" [");
            text.append(("*a" + (i - 1) + ", ").repeat(9)).append("x]\n");
        }

        assertTrue(String.valueOf(refused(text.toString()).getMessage()).contains("aliases repeat included"));
    }

    @Test
    void refusesDoublingWithFewAliases() {
        StringBuilder text = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 40; i++) {
            text.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }

        assertTrue(String.valueOf(refused(text.toString()).getMessage()).contains("values"));
    }

    @Test
    void refusesNestingWithoutRunningOutOfStack() {
        assertTrue(String.valueOf(refused("[".repeat(1_000_000)).getMessage()).contains("in each other"));
        assertTrue(String.valueOf(refused("{a: ".repeat(300_000)).getMessage()).contains("in each other"));
        assertTrue(String.valueOf(refused("- ".repeat(300_000)).getMessage()).contains("in each other"));
    }

    @Test
    void refusesWhatIsTooLong() {
        assertTrue(String.valueOf(refused("a: " + "x".repeat(Sources.MAX_BYTES)).getMessage())
                .contains("MiB"));
        assertTrue(String.valueOf(
                        refused("- x\n".repeat(Sources.MAX_VALUES + 1)).getMessage())
                .contains("values"));
        assertTrue(String.valueOf(refused("9".repeat(100_000)).getMessage()).contains("characters"));
    }

    @Test
    void refusesBytesThatAreNoText() {
        assertThrows(SourceException.class, () -> Sources.read("a.yaml", new byte[] {'a', ':', (byte) 0xFF}));
    }

    @Test
    void jsonIsReadAsJson() throws Exception {
        SourceException refused = assertThrows(
                SourceException.class,
                () -> Sources.read("a.json", "{\n\"a\": 1, \"a\": 2}".getBytes(StandardCharsets.UTF_8)));

        assertEquals(2, refused.line());
        assertEquals(
                "{\"a\":[]}",
                CanonicalJson.exactText(Sources.read("a.json", "{\t\"a\":\t[]}".getBytes(StandardCharsets.UTF_8))
                        .value()));
    }

    @Test
    void whateverTheBytesItAnswersOrRefuses() {
        String alphabet = "ab:-?{}[],&*!|>'\"%@`# \n\t0.e~<=\\\u00e9";
        SplittableRandom random = new SplittableRandom(20);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(30); length >= 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                yaml(text.toString());
            } catch (SourceException e) {
                assertTrue(e.line() >= 1 && e.column() >= 1, text::toString);
            } catch (RuntimeException e) {
                throw new AssertionError("not refused but thrown at: " + text, e);
            }
        }
    }
}
