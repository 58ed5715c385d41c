package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The door as a whole. */
final class DagDialectTest {
    @TestFactory
    Stream<DynamicTest> compilesEveryExampleWithoutAWarning() throws IOException {
        List<Path> examples = Dags.examples();
        assertTrue(examples.size() >= 7, examples::toString);
        return examples.stream()
                .map(it -> DynamicTest.dynamicTest(it.getFileName().toString(), () -> {
                    Compiled compiled = assertInstanceOf(Compiled.class, Dags.compile(Files.readString(it)));
                    assertEquals(List.of(), compiled.faults());
                    assertTrue(compiled.program().metadata().get("description") != null, "an example explains itself");
                }));
    }

    @Test
    void compilesItsOwnStarterWithoutAWarning() {
        Compiled compiled = assertInstanceOf(Compiled.class, Dags.compile(DagDialect.starter()));

        assertEquals(List.of(), compiled.faults());
    }

    @Test
    void namesAllFaultsAtOnceInTheOrderOfTheText() {
        String source = """
                {
                  "id": "Bad Id",
                  "displayName": 7,
                  "startNode": "a",
                  "nodes": [
                    { "id": "a", "actionType": "core.ecko", "edges": [
                      { "targetNode": "b", "condition": "trigger.x ===" },
                      { "targetNode": "c" } ] },
                    { "id": "b", "actionType": "core.echo", "parameters": { "t": "{{ ) }}" },
                      "edges": [ { "targetNode": "a" } ] },
                    { "id": "a", "actionType": "core.echo" },
                    { "id": "lonely", "actionType": "core.echo", "color": "red" }
                  ]
                }
                """;

        assertEquals(
                List.of(
                        "2 BAD_ID /id",
                        "3 WRONG_TYPE /displayName",
                        "6 UNKNOWN_ACTION /nodes/0/actionType",
                        "7 CONDITION_INVALID /nodes/0/edges/0/condition",
                        "8 UNKNOWN_NODE /nodes/0/edges/1/targetNode",
                        "9 TEMPLATE_INVALID /nodes/1/parameters/t",
                        "10 CYCLE /nodes/1/edges/0/targetNode",
                        "11 DUPLICATE_NODE_ID /nodes/2/id",
                        "12 UNREACHABLE_NODE /nodes/3",
                        "12 UNKNOWN_PROPERTY /nodes/3/color"),
                Dags.brief(Dags.compile(source).faults()));
    }

    @Test
    void doesNotBlameANodeForTheWrongNameOfTheEdgeThatLeadsToIt() {
        String source = Dags.workflow(Dags.node("a", "next-stop"), Dags.node("next-step", "last"), Dags.node("last"));

        assertEquals(
                List.of("1 UNKNOWN_NODE /nodes/0/edges/0/targetNode"),
                Dags.brief(Dags.compile(source).faults()));
    }

    @Test
    void namesEachEdgeThatClosesACircleOnce() {
        String source = Dags.workflow(
                Dags.node("a", "b", "c"),
                Dags.node("b", "d"),
                Dags.node("c", "d"),
                Dags.node("d", "b", "c", "e"),
                Dags.node("e"));

        List<Fault> faults = Dags.compile(source).faults();

        assertEquals(
                List.of("1 CYCLE /nodes/3/edges/0/targetNode", "1 CYCLE /nodes/2/edges/0/targetNode"),
                Dags.brief(faults).stream().sorted().toList().reversed());
        assertTrue(faults.stream().anyMatch(it -> it.message().endsWith("b → d → b")), faults::toString);
    }

    @Test
    void passesOnWhatAnActionSaysAboutItsParameters() {
        ActionCatalog strict = new ActionCatalog() {
            @Override
            public Set<String> names() {
                return Set.of("core.echo");
            }

            @Override
            public List<ParameterFault> check(String action, JsonObject parameters) {
                return List.of(new ParameterFault("/msg", "'msg' is too loud", "whisper"));
            }
        };
        String source = "{\"id\":\"w\",\"displayName\":\"W\",\"startNode\":\"a\",\"nodes\":[{\"id\":\"a\","
                + "\"actionType\":\"core.echo\",\"parameters\":{\n\"msg\":\"HEY\"}}]}";

        List<Fault> faults = Dags.DIALECT
                .compile(source.getBytes(StandardCharsets.UTF_8), DagOptions.DEFAULT, strict)
                .faults();

        assertEquals(List.of("2 ACTION_PARAMETERS /nodes/0/parameters/msg"), Dags.brief(faults));
        assertEquals("'msg' is too loud", faults.getFirst().message());
    }

    @Test
    void refusesAnActionThatIsDisabledAndWarnsOfOneThatWillBe() {
        ActionCatalog catalog = new ActionCatalog() {
            @Override
            public Set<String> names() {
                return Set.of("acme.old");
            }

            @Override
            public Optional<String> disabled(String action) {
                return action.equals("acme.gone") ? Optional.of("take acme.new") : Optional.empty();
            }

            @Override
            public Optional<String> deprecation(String action) {
                return action.equals("acme.old") ? Optional.of("take acme.new, soon") : Optional.empty();
            }
        };
        String source = """
                {"id":"w","displayName":"W","startNode":"a","nodes":[
                {"id":"a","actionType":"acme.old","edges":[{"targetNode":"b"}]},
                {"id":"b","actionType":"acme.gone"}]}""";

        List<Fault> faults = Dags.DIALECT
                .compile(source.getBytes(StandardCharsets.UTF_8), DagOptions.DEFAULT, catalog)
                .faults();

        assertEquals(
                List.of("2 ACTION_DEPRECATED /nodes/0/actionType", "3 ACTION_DISABLED /nodes/1/actionType"),
                Dags.brief(faults));
        assertEquals("take acme.new, soon", faults.getFirst().remedy());
        assertEquals(List.of(false, true), faults.stream().map(Fault::isError).toList());
    }

    @Test
    void warnsOfReadingANodeOnAnotherBranchAndNotOfOneUpstream() {
        String reader = "{\"id\":\"c\",\"actionType\":\"core.echo\",\"parameters\":{\"own\":\"{{ context.data.b.x }}\","
                + "\"up\":\"{{ context.data.a.x }}\"}}";
        String source = Dags.workflow(Dags.node("a", "b", "c"), Dags.node("b"), reader);

        Compiled compiled = assertInstanceOf(Compiled.class, Dags.compile(source));

        assertEquals(List.of("1 NOT_UPSTREAM /nodes/2/parameters/own"), Dags.brief(compiled.faults()));
    }

    @Test
    void letsAConditionReadItsOwnNode() {
        String source = Dags.workflow(Dags.node("a", "b:success:context.data.a.x > 1"), Dags.node("b"));

        assertEquals(List.of(), Dags.compile(source).faults());
    }

    @Test
    void takesEveryFormThatTheSpecificationShows() {
        List<String> conditions = List.of(
                "context.data['get-item'].items[0].Status === 'Approved'",
                "true",
                "false",
                "[1, 2].map(x => x + 1).length > 1");
        List<String> templates = List.of(
                "{{ trigger.boardId }}",
                "Found {{ context.data['fetch-items'].items.length }} items in progress.",
                "Onboarding failed at {{ context.data['get-item'].errorNode ?? 'unknown' }}.",
                "{{ spec.answers.title }} - Project Brief",
                "{{ vars.region }}");
        for (String condition : conditions) {
            String source = Dags.workflow(Dags.node("a", "b:success:" + condition), Dags.node("b"));
            assertFalse(Dags.compile(source).faults().stream().anyMatch(Fault::isError), condition);
        }
        for (String template : templates) {
            String source = Dags.workflow(
                    "{\"id\":\"a\",\"actionType\":\"core.echo\",\"parameters\":{\"x\":\"" + template + "\"}}");
            assertFalse(Dags.compile(source).faults().stream().anyMatch(Fault::isError), template);
        }
    }
}
