package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every block of every page for users does what the page says. By its language:
 *
 * <ul>
 *   <li>{@code sh}: a page's blocks run in one bash, in their order, against a server, after {@code docs/PAGE.sh} of the test's
 *       resources, which makes what the page takes for granted;
 *   <li>{@code console}: its commands would be taken, and the heads of tables stand in what they say if they can be called;
 *   <li>{@code json}: a definition or a node is valid; all else has a note;
 *   <li>{@code yaml}: scenarios, which pass; {@code java} compiles; {@code js} are conditions, one a line;
 *   <li>{@code text}: a picture, or what something said.
 * </ul>
 *
 * A note before a block, {@code <!-- doc: … -->}, says more: {@code after FILE}: this runs before it in the same bash; {@code in FILE}: it is put
 * into this resource, at {@code @BLOCK@}; {@code request METHOD PATH} and {@code answer METHOD PATH STATUS}: the API's document takes it as that; {@code by CLASS}: this test does what
 * it says; {@code shown}: it can't be done here, and has only to be well formed, with commands that there are.
 */
final class DocBlocksTest {
    private static final Path ROOT = Path.of("..");
    private static final Path FRAMES = Path.of("src", "test", "resources", "docs");
    private static final Path TESTS = Path.of("src", "test", "java");
    private static final List<String> MODULES = List.of("server", "postgres", "sdk", "testkit");
    private static final String AFTER = "after ";
    private static final Pattern PLACE = Pattern.compile("( *)@BLOCK@");
    private static final Pattern HEAD = Pattern.compile("[A-Z]{2,}( {2,}[A-Z ]+)+");

    private static RemoteServer server;
    private static DocJson json;

    @TempDir
    private Path folder = Path.of("");

    /** Only {@link #open} fills the fields. */
    @SuppressWarnings("NullAway.Init")
    DocBlocksTest() {}

    @BeforeAll
    static void open() throws Exception {
        server = new RemoteServer(
                "worker.actions=orders.reserve,orders.charge",
                "outbound.allowedNetworks=127.0.0.1",
                "webhook.crm.url=http://127.0.0.1:1/hook",
                "webhook.crm.secret=whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3");
        json = new DocJson((JsonObject) DocJson.read(server.get("/openapi.json")));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @TestFactory
    Stream<DynamicNode> everyBlockDoesWhatThePageSays() {
        return DocBlock.pages(ROOT).stream()
                .map(page -> dynamicContainer(page.getFileName().toString(), tests(page)));
    }

    private List<DynamicTest> tests(Path page) {
        List<DocBlock> blocks = DocBlock.of(page);
        List<DynamicTest> tests = new ArrayList<>();
        List<DocBlock> commands = new ArrayList<>();
        for (DocBlock block : blocks) {
            if (isRun(block)) {
                commands.add(block);
            } else {
                tests.add(dynamicTest(block.place(), () -> placed(block.place(), () -> holds(block))));
            }
        }
        if (!commands.isEmpty()) {
            tests.add(dynamicTest(
                    page.getFileName() + ", its commands",
                    () -> placed(page.getFileName().toString(), () -> run(page, commands))));
        }
        return tests;
    }

    /** A dynamic test's name is not in what a build says. */
    private static void placed(String place, Executable test) throws Throwable {
        try {
            test.execute();
        } catch (AssertionError e) {
            throw new AssertionError(place + ": " + e.getMessage(), e);
        }
    }

    private static boolean isRun(DocBlock block) {
        return block.language().equals("sh")
                && (block.note().isEmpty() || block.note().startsWith(AFTER));
    }

    /** A page's server is the one that it starts; here another is there. */
    private void run(Path page, List<DocBlock> blocks) throws Exception {
        String name = page.getFileName().toString().replace(".md", "");
        StringBuilder script = new StringBuilder(Files.readString(FRAMES.resolve("shell.sh")));
        Path before = FRAMES.resolve(name + ".sh");
        if (Files.exists(before)) {
            script.append(Files.readString(before));
        }
        for (DocBlock block : blocks) {
            script.append("echo '== ").append(block.place()).append("'\n");
            if (block.note().startsWith(AFTER)) {
                script.append(Files.readString(FRAMES.resolve(block.note().substring(AFTER.length()))));
            }
            script.append(block.text());
        }
        try (DocShell shell = new DocShell(folder.resolve(name), ROOT, server.address(), name)) {
            String said = shell.run(script.toString().replace("http://127.0.0.1:8080", server.address()));
            assertFalse(said.contains("urn:flowstone:problem"), said);
        }
    }

    private void holds(DocBlock block) throws Exception {
        String[] note = block.note().split(" ", -1);
        switch (note[0]) {
            case "" -> holdsByItself(block, block.text());
            case "in" -> holdsByItself(block, framed(block, note[1]));
            case "by" -> assertTrue(isThere(note[1]), () -> "there is no test " + note[1]);
            case "request" -> json.expectRequest(DocJson.read(block.text()), note[1], note[2]);
            case "answer" -> json.expectAnswer(DocJson.read(block.text()), note[1], note[2], note[3]);
            case "shown" -> isWellFormed(block);
            default -> fail("there is no note '" + block.note() + "'");
        }
    }

    private static String framed(DocBlock block, String frame) throws IOException {
        String text = block.language().equals("js") ? conditions(block.text()) : block.text();
        return PLACE.matcher(Files.readString(FRAMES.resolve(frame)))
                .replaceAll((MatchResult place) -> Matcher.quoteReplacement(
                        text.indent(place.group(1).length()).stripTrailing()));
    }

    private static boolean isThere(String test) {
        Path file = Path.of(test.replace('.', '/') + ".java");
        return MODULES.stream()
                .anyMatch(module ->
                        Files.exists(ROOT.resolve(module).resolve(TESTS).resolve(file)));
    }

    private void holdsByItself(DocBlock block, String text) throws Exception {
        switch (block.language()) {
            case "json", "js" -> isValid(DocJson.read(text));
            case "yaml" -> passes(text);
            case "java" -> compiles(text);
            case "console" -> answers(text);
            case "text" -> {
                // To be looked at.
            }
            default -> fail("no language, or one that nobody tests: '" + block.language() + "'");
        }
    }

    private void isValid(JsonValue value) throws Exception {
        JsonObject definition = DocJson.definition(value)
                .orElseThrow(() -> new AssertionError("neither a definition nor a node: what is it? A note must say"));
        Path file = Files.write(folder.resolve("definition.json"), CanonicalJson.exact(definition));
        good(Cli.here("validate", file.toString()));
    }

    /** Each line is one; as the edges of a node. */
    private static String conditions(String text) {
        List<JsonValue> edges = text.lines()
                .map(line -> (JsonValue) JsonObject.builder()
                        .put("targetNode", "end")
                        .put("condition", line)
                        .build())
                .toList();
        return new String(CanonicalJson.exact(new JsonArray(edges)), StandardCharsets.UTF_8);
    }

    private void passes(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("page.scenario.yaml"), text);
        good(Cli.here("test", file.toString()));
    }

    private void compiles(String text) throws Exception {
        Optional<String> faults = DocJava.faults(text.replaceAll("(?m)^…$", ""), folder);
        assertEquals(Optional.empty(), faults);
    }

    private static void good(Said said) {
        assertEquals(0, said.exit(), said::toString);
    }

    private static void answers(String text) {
        List<List<String>> commands = DocCommands.in(text);
        assertFalse(commands.isEmpty(), "no command in it: it is text");
        StringBuilder said = new StringBuilder();
        for (List<String> words : commands) {
            good(DocCommands.parsed(words));
            if (DocCommands.speaksToAServer(words)) {
                said.append(server.call(words.toArray(String[]::new)).out());
            } else if (words.getFirst().equals("schedule")) {
                said.append(Cli.here(words.toArray(String[]::new)).out());
            }
        }
        String all = said.toString().replaceAll(" +", " ");
        text.lines()
                .filter(line -> HEAD.matcher(line).matches())
                .forEach(head -> assertTrue(
                        all.contains(head.strip().replaceAll(" +", " ")), () -> "'" + head + "' is not in " + all));
    }

    private static void isWellFormed(DocBlock block) throws Exception {
        switch (block.language()) {
            case "sh", "console" -> {
                for (List<String> words : DocCommands.in(block.text())) {
                    good(DocCommands.parsed(words));
                }
            }
            case "json" ->
                DocJson.read(block.text().stripLeading().startsWith("\"") ? "{" + block.text() + "}" : block.text());
            case "yaml" -> assertTrue(block.text().contains(":"));
            default -> fail("what is only shown is sh, console, json or yaml");
        }
    }
}
