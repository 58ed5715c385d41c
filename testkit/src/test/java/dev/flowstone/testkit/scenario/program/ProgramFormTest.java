package dev.flowstone.testkit.scenario.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.testkit.scenario.file.DialectCompilers;
import dev.flowstone.testkit.scenario.file.ReadFile;
import dev.flowstone.testkit.scenario.file.ScenarioReader;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Faults;
import dev.flowstone.testkit.scenario.source.FileFault;
import dev.flowstone.testkit.scenario.source.Sources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgramFormTest {
    private static final Path PATH = Path.of("a.yaml");

    private final ScenarioReader reader = new ScenarioReader(new DialectCompilers());

    private static Program program(String text) throws Exception {
        JsonParser.Located document = Sources.read("a.yaml", text.getBytes(StandardCharsets.UTF_8));
        Faults faults = new Faults(PATH, document);
        return ProgramForm.read(new Cursor(faults, "", document.value()))
                .orElseThrow(() -> new AssertionError(faults.sorted()));
    }

    private static byte[] bytes(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theScenariosHoldEveryKindOfNode() throws IOException {
        Set<Class<?>> seen;
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "resources", "scenarios"))) {
            seen = files.filter(Files::isRegularFile)
                    .map(path -> reader.read(path, bytes(path)))
                    .map(file ->
                            assertInstanceOf(ReadFile.Sound.class, file).file().program())
                    .flatMap(program -> program.nodes().stream())
                    .map(Object::getClass)
                    .collect(Collectors.toSet());
        }

        assertEquals(Set.copyOf(Arrays.asList(Node.class.getPermittedSubclasses())), seen);
    }

    @Test
    void whatIsReadIsAProgramLikeAnyOther() throws Exception {
        Program program = program("""
                id: small
                settling:
                  a: {task: acme.a, retry: 3, compensate: {attest: look at it}, to: [{to: b, if: trigger.x, else: false}]}
                  b: {end: done}
                """);

        byte[] bytes = ProgramCodec.encode(program);
        assertArrayEquals(bytes, ProgramCodec.encode(ProgramCodec.decode(bytes)));
        assertEquals(
                List.of("a->b", "start->a"),
                program.edges().stream().map(edge -> edge.id().value()).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: {tsk: x}                                 | a node has a kind, one of fork, each
            a: {choice: 1, too: b}                      | did you mean 'to'?
            a: {choice: 1, to: bb}                      | there is no node 'bb'
            a: {choice: 1, to: a}                       | CYCLE
            a: {choice: 1, on: {timeout: a}}            | UNKNOWN_OUTCOME
            a: {join: all}                              | JOIN_WITHOUT_FORK
            a: {join: most}                             | 'most' is not known here
            a: {timer: {evry: 1}}                       | did you mean 'every'?
            a: {await: {signal: x}}                     | the key 'key' is missing here
            a: {await: {semaphore: x, limit: 1, permits: 2}} | 2 permits of a semaphore that has 1
            a: {human: []}                              | NO_ASSIGNEE
            a: {human: [x], drift: around}              | 'around' is not known here
            a: {each: [], join: a}                      | a for-each has a branch
            a: {fork: {b: {}}, join: a}                 | a scope is either flow or settling
            a: {task: x, retry: many}                   | a whole number
            a: {flow: {b: {choice: 1}}}                 | SCOPE_IN_SETTLING_SCOPE
            start: {choice: 1}                          | two nodes are named 'start'
            '': {choice: 1}                             | node id
            """)
    void whatCanBeNoProgramIsToldWhereItStands(String node, String message) {
        String text = "program:\n  settling:\n    " + node + "\nscenarios: [{name: a, then: {}}]\n";
        ReadFile file = reader.read(PATH, text.getBytes(StandardCharsets.UTF_8));

        List<FileFault> faults = assertInstanceOf(ReadFile.Faulty.class, file).faults();
        assertTrue(faults.stream().anyMatch(it -> it.message().contains(message)), faults::toString);
        assertTrue(faults.getFirst().line() <= 3, faults::toString);
    }
}
