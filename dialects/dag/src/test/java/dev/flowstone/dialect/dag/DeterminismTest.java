package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One definition, one hash: in every process, however it is written. */
final class DeterminismTest {
    @Test
    void givesOneHashInAnotherJvmWithAnotherSeedLocaleTimeZoneAndEncoding() throws IOException, InterruptedException {
        List<Path> files = Dags.examples();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-Xint",
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Duser.timezone=Pacific/Apia",
                "-Dfile.encoding=ISO-8859-1",
                "-cp",
                System.getProperty("java.class.path"),
                ProgramHash.class.getName()));
        files.forEach(file -> command.add(file.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String there = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());

        StringBuilder here = new StringBuilder();
        for (Path file : files) {
            here.append(hash(Files.readString(file))).append('\n');
        }
        assertEquals(here.toString(), there);
    }

    @Test
    void ignoresWhiteSpaceTheOrderOfMembersAndHowNumbersAndTextsAreWritten() throws IOException, JsonSyntaxException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (Path file : Dags.examples()) {
            String source = Files.readString(file);
            Sha256 hash = hash(source);
            for (int i = 0; i < 20; i++) {
                String other = scrambled(JsonParser.parse(source.getBytes(StandardCharsets.UTF_8)), random);
                assertEquals(hash, hash(other), () -> "seed " + seed + ": " + other);
            }
        }
    }

    @Test
    void ignoresWhichNameTheDialectIsCalledBy() {
        String plain = Dags.workflow(Dags.node("a"));

        assertEquals(hash(plain), hash("{\"$schema\":\"dag\"," + plain.substring(1)));
        assertEquals(hash(plain), hash("{\"$schema\":\"urn:flowstone:dialect:dag:1\"," + plain.substring(1)));
    }

    @Test
    void givesAnotherHashToAnotherMeaning() {
        String plain = Dags.workflow(Dags.node("a", "b"), Dags.node("b"));

        assertNotEquals(hash(plain), hash(plain.replace("\"W\"", "\"V\"")));
        assertNotEquals(hash(plain), hash(plain.replace("\"b\"}", "\"b\",\"when\":\"always\"}")));
    }

    @Test
    void comesBackFromItsBytes() throws IOException {
        for (Path file : Dags.examples()) {
            Program program = Dags.program(Files.readString(file));
            byte[] bytes = ProgramCodec.encode(program);

            assertEquals(ProgramCodec.hash(program), ProgramCodec.hash(ProgramCodec.decode(bytes)));
        }
    }

    private static Sha256 hash(String source) {
        return ProgramCodec.hash(Dags.program(source));
    }

    private static String scrambled(JsonValue value, Random random) {
        String space = " \n\t\r".substring(0, random.nextInt(5));
        return space
                + switch (value) {
                    case JsonObject object -> {
                        List<Map.Entry<String, JsonValue>> members =
                                new ArrayList<>(object.members().entrySet());
                        Collections.shuffle(members, random);
                        yield "{"
                                + String.join(
                                        ",",
                                        members.stream()
                                                .map(it -> text(it.getKey(), random) + ":"
                                                        + scrambled(it.getValue(), random))
                                                .toList())
                                + "}";
                    }
                    case JsonArray array ->
                        "["
                                + String.join(
                                        ",",
                                        array.items().stream()
                                                .map(it -> scrambled(it, random))
                                                .toList()) + "]";
                    case JsonString string -> text(string.value(), random);
                    case JsonNumber number -> number.decimalValue().movePointRight(2) + "e-2";
                    case JsonBoolean bool -> Boolean.toString(bool.value());
                    case JsonNull none -> "null";
                }
                + space;
    }

    private static String text(String text, Random random) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= ' ' && c != '"' && c != '\\' && random.nextInt(10) > 0;
            out.append(plain ? String.valueOf(c) : String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
        }
        return out.append('"').toString();
    }
}
