package dev.flowstone.server.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.drawing.Drawing;
import dev.flowstone.dialect.drawing.Mermaid;
import dev.flowstone.dialect.drawing.Svg;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DialectsTest {
    private static final Path EXAMPLES =
            Path.of(System.getProperty("basedir", ".")).resolve("../examples/states");
    private static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();
    private static final Dialects DIALECTS = new Dialects(
            new DagDialect(EXPRESSIONS),
            DagOptions.DEFAULT,
            new StatesDialect(EXPRESSIONS),
            StatesOptions.DEFAULT,
            ActionCatalog.of(List.of("core.echo", "core.fail", "core.sometimes-fails")));

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(it -> it.toString().endsWith(".json")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aSourceInTheStatesFormatIsCompiledStoredAndDrawn(Path example) throws IOException {
        byte[] source = Files.readAllBytes(example);

        Program program = DIALECTS.check(source).program().orElseThrow();
        DefinitionCompiler.Compiled compiled =
                assertInstanceOf(DefinitionCompiler.Compiled.class, DIALECTS.compile(source));

        assertEquals("states", program.dialect());
        assertEquals(program.workflow(), compiled.workflow());
        assertInstanceOf(Drawing.Drawn.class, Svg.of(program, Optional.empty()));
        assertFalse(Mermaid.of(program, Optional.empty()).isEmpty());
    }

    @Test
    void aSourceWithoutASchemaIsADag() {
        Program program = DIALECTS.check(bytes(DagDialect.starter())).program().orElseThrow();

        assertEquals("dag", program.dialect());
    }

    @Test
    void aDagThatMentionsTheOtherFormatStaysADag() {
        String dag = """
                {"id": "w", "displayName": "like https://flowstone.dev/schema/states-1.json", "startNode": "a",
                 "nodes": [{"id": "a", "actionType": "core.echo"}]}
                """;

        assertEquals("dag", DIALECTS.check(bytes(dag)).program().orElseThrow().dialect());
    }

    @Test
    void anUnknownVersionOfTheFormatIsItsOwnToRefuse() {
        List<Fault> faults = DIALECTS.check(bytes("{\"$schema\": \"https://flowstone.dev/schema/states-2.json\"}"))
                .faults();

        assertEquals("STATES-UNKNOWN-DIALECT", faults.getFirst().code().id());
        assertTrue(faults.getFirst().remedy().contains("states-1.json"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
