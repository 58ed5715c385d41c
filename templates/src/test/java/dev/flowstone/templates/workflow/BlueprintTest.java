package dev.flowstone.templates.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.templates.fields.FieldFault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a config does to a definition: values go in as values, and nothing that somebody writes becomes an expression. */
final class BlueprintTest {
    private static final String SCHEMA = """
            {'type': 'object', 'required': ['channel', 'deep'],
             'properties': {
               'channel': {'type': 'string'},
               'any': {'default': null},
               'often': {'type': 'integer', 'default': 3},
               'maybe': {'type': 'string'},
               'deep': {'type': 'object', 'required': ['a/b'],
                        'properties': {'a/b': {'type': 'string'}, 'c': {'default': [1, 'x']}}}}}""";

    private static JsonObject json(String text) {
        try {
            return (JsonObject) JsonParser.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }

    private static Blueprint blueprint(String definition) {
        return new Blueprint(json(definition), json(SCHEMA));
    }

    private static List<String> places(List<FieldFault> faults) {
        return faults.stream().map(it -> it.code() + " " + it.pointer()).toList();
    }

    private static String bound(String definition, String config) {
        Blueprint blueprint = blueprint(definition);
        assertEquals(List.of(), blueprint.check());
        return CanonicalJson.exactText(assertInstanceOf(Blueprint.Bound.class, blueprint.bind(json(config)))
                .definition());
    }

    private static List<String> wrong(String definition, String config) {
        return places(assertInstanceOf(
                        Blueprint.WrongConfig.class, blueprint(definition).bind(json(config)))
                .faults());
    }

    @Test
    void valuesGoInAsTheyAreAndWhatIsLeftOutHasItsDefault() {
        String definition = "{'nodes': [{'id': 'a', 'parameters': {'to': {'$config': '/channel'}, 'n': {'$config':"
                + " '/often'}, 'k': {'$config': '/deep/a~1b'}, 'l': [{'$config': '/deep/c'}]}}]}";

        assertEquals(
                CanonicalJson.exactText(json(
                        "{'nodes': [{'id': 'a', 'parameters': {'to': '#ops', 'n': 3, 'k': 'K', 'l': [[1, 'x']]}}]}")),
                bound(definition, "{'channel': '#ops', 'deep': {'a/b': 'K'}}"));
    }

    @Test
    void aFaultOfTheWorkflowIsFoundInTheConfig() {
        Blueprint.Bound bound = assertInstanceOf(
                Blueprint.Bound.class,
                blueprint("{'nodes': [{'parameters': {'to': {'$config': '/deep'}}}]}")
                        .bind(json("{'channel': 'c', 'deep': {'a/b': 'K'}}")));

        assertEquals(Optional.of("/deep"), bound.origin("/nodes/0/parameters/to/a~1b"));
        assertEquals(Optional.empty(), bound.origin("/nodes/0/parameters"));
    }

    @Test
    void whatIsMissingUnknownOrOfAnotherTypeIsToldWithItsPlace() {
        String definition = "{'startNode': {'$config': '/channel'}}";

        assertEquals(List.of("CONFIG_INVALID /deep"), wrong(definition, "{'channel': 'c', 'deep': 7}"));
        assertEquals(
                List.of("CONFIG_INVALID /chanel", "CONFIG_INVALID ", "CONFIG_INVALID /deep"),
                wrong(definition, "{'chanel': 'c', 'deep': {}}"));
        assertEquals(
                List.of("CONFIG_INVALID /often"),
                wrong(definition, "{'channel': 'c', 'deep': {'a/b': ''}, 'often': 'x'}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$config': '/unknown'}",
                "{'$config': '/maybe'}",
                "{'$config': '/deep/unknown'}",
                "{'$config': '/channel/0'}",
                "{'$config': ''}",
                "{'$config': 'channel'}",
                "{'$config': '/channel~2'}",
                "{'$config': 7}",
                "{'$config': '/channel', 'or': 1}"
            })
    void aPlaceholderThatLeadsNowhereIsRefusedWhereItStands(String placeholder) {
        assertEquals(
                List.of("PLACEHOLDER_INVALID /definition/nodes/0/parameters/x"),
                places(blueprint("{'nodes': [{'parameters': {'x': " + placeholder + "}}]}")
                        .check()));
    }

    /** In either format, an expression is the author's alone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'nodes': [{'edges': [{'condition': @}]}]}",
                "{'states': {'a': {'transitions': [{'when': @}]}}}",
                "{'states': {'a': {'transitions': [{'when': {'all': [@]}}]}}}",
                "{'states': {'a': {'transitions': [{'when': {'not': @}}]}}}",
                "{'states': {'a': {'transitions': [{'when': {'equals': [{'value': @}, 1]}}]}}}",
                "{'states': {'a': {'transitions': [{'when': {'present': @}}]}}}",
                "{'states': {'parameters': {'transitions': [{'when': @}]}}}",
                "{'policies': {'input': {'rule': @}}}",
                "{'policies': {'p': {'rules': [{'when': @}]}}}",
                "{'triggers': [{'guard': @}]}"
            })
    void noConfigGoesIntoAnExpression(String definition) {
        List<FieldFault> faults =
                blueprint(definition.replace("@", "{'$config': '/channel'}")).check();

        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().message().contains("expression"), faults::toString);
    }

    /** A literal of a rule is compared, whatever it says. */
    @Test
    void aRulesLiteralIsTakenAsItIs() {
        String definition = "{'states': {'a': {'transitions': [{'when': {'equals': [{'value': 'trigger.a'},"
                + " {'$config': '/channel'}]}}]}}}";

        assertTrue(bound(definition, "{'channel': '{{ x', 'deep': {'a/b': ''}}").contains("\"{{ x\""));
    }

    /** What a person writes is data in the workflow, though it looks like an expression. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ trigger.secret }}",
                "{{",
                "a {{ b",
                "{{{ trigger.secret }}}",
                "{{ '{{' }}",
                "}} {{ vars.key",
                "x{{{{y}}}}"
            })
    void textsThatLookLikeTemplatesStayText(String text) {
        JsonObject config = JsonObject.builder()
                .put("channel", text)
                .put(
                        "deep",
                        JsonObject.builder().put("a/b", text).put("c", text).build())
                .build();
        Blueprint blueprint =
                blueprint("{'nodes': [{'parameters': {'to': {'$config': '/channel'}, 'all': {'$config': '/deep'}}}]}");
        JsonObject definition =
                assertInstanceOf(Blueprint.Bound.class, blueprint.bind(config)).definition();
        JsonValue parameters =
                JsonPointer.parse("/nodes/0/parameters").find(definition).orElseThrow();

        ScriptExpressions expressions = new ScriptExpressions();
        assertEquals(List.of(), expressions.checkTemplate(parameters));
        JsonValue rendered = assertInstanceOf(
                        Rendering.Rendered.class, expressions.render(parameters, Map.<String, JsonValue>of()::get))
                .value();
        assertEquals(config.find("channel"), JsonPointer.parse("/to").find(rendered));
        assertEquals(config.find("deep"), JsonPointer.parse("/all").find(rendered));
    }

    @Test
    void onlyWhatIsHandedOnTakesListsOfObjects() {
        String edges = "{'nodes': [{'edges': {'$config': '/any'}}]}";
        String base = "'channel': 'c', 'deep': {'a/b': ''}";

        assertEquals(List.of("CONFIG_INVALID /any"), wrong(edges, "{" + base + ", 'any': [{'condition': 'true'}]}"));
        assertEquals(List.of("CONFIG_INVALID /any"), wrong(edges, "{" + base + ", 'any': {'a': 1}}"));
        assertTrue(bound(edges, "{" + base + ", 'any': ['a', 1]}").contains("[\"a\",1]"));
        assertTrue(bound(
                        "{'nodes': [{'parameters': {'x': {'$config': '/any'}}}]}",
                        "{" + base + ", 'any': [{'condition': 'true'}]}")
                .contains("condition"));
    }

    /** What a config puts in isn't looked at again. */
    @Test
    void aValueThatLooksLikeAPlaceholderIsAValue() {
        String definition = "{'nodes': [{'parameters': {'x': {'$config': '/any'}}}]}";

        assertTrue(bound(definition, "{'channel': 'c', 'deep': {'a/b': ''}, 'any': {'$config': '/channel'}}")
                .contains("{\"$config\":\"/channel\"}"));
    }

    @Test
    void aConfigThatGrowsInTheDefinitionIsBounded() {
        String places = "{'$config': '/channel'},".repeat(900);
        String definition = "{'nodes': [{'parameters': {'x': [" + places + "1]}}]}";

        assertEquals(
                List.of("CONFIG_INVALID "),
                wrong(definition, "{'channel': '" + "x".repeat(2_000) + "', 'deep': {'a/b': ''}}"));
        assertEquals(
                List.of("PLACEHOLDER_INVALID /definition"),
                places(blueprint("{'nodes': [{'parameters': {'x': [" + places + places + "1]}}]}")
                        .check()));
    }

    /** Each of many places would make a text of its own, five times as long, of what is far too long. */
    @Test
    void aConfigThatIsTooMuchCostsNothingMore() {
        String places = "{'$config': '/any'},".repeat(1_000);
        Blueprint blueprint = blueprint("{'nodes': [{'parameters': {'x': [" + places + "1]}}]}");
        JsonObject config = JsonObject.builder()
                .put("channel", "c")
                .put("deep", JsonObject.builder().put("a/b", "").build())
                .put("any", "{{".repeat(2_000_000))
                .build();

        Blueprint.Outcome outcome = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> blueprint.bind(config));
        assertEquals(
                List.of("CONFIG_INVALID "),
                places(assertInstanceOf(Blueprint.WrongConfig.class, outcome).faults()));
    }

    @Test
    void twoBracesCountAsTheyAreWritten() {
        String definition = "{'nodes': [{'parameters': {'x': {'$config': '/channel'}}}]}";

        assertEquals(
                List.of("CONFIG_INVALID "),
                wrong(definition, "{'channel': '" + "{{".repeat(200_000) + "', 'deep': {'a/b': ''}}"));
    }

    /** Whoever fills in a form would name the server's secrets. */
    @Test
    void aConfigNamesNoSecret() {
        String handed = "{'nodes': [{'parameters': {'headers': {'$config': '/any'}}}]}";
        String base = "{'channel': 'c', 'deep': {'a/b': ''}, 'any': ";

        assertEquals(List.of("CONFIG_INVALID /any/$secret"), wrong(handed, base + "{'$secret': 'crm'}}"));
        assertEquals(
                List.of("CONFIG_INVALID /any/A~1b/1/$secret"),
                wrong(handed, base + "{'A/b': [1, {'$secret': {'x': 1}, 'prefix': 'Bearer '}]}}"));
        assertTrue(bound("{'nodes': [{'parameters': {'token': {'$secret': {'$config': '/channel'}}}}]}", base + "1}")
                .contains("{\"$secret\":\"c\"}"));
    }

    @Test
    void membersOfMembersAreAskedForOrRefusedToo() {
        assertEquals(
                List.of("CONFIG_INVALID /deep/d"),
                wrong("{'startNode': {'$config': '/channel'}}", "{'channel': 'c', 'deep': {'a/b': '', 'd': 1}}"));
        String loose = SCHEMA.replace("'deep': {'type': 'object', ", "'deep': {");
        assertEquals(
                List.of("PLACEHOLDER_INVALID /definition/startNode"),
                places(new Blueprint(json("{'startNode': {'$config': '/deep/c'}}"), json(loose)).check()));
    }

    @Test
    void aSchemaThatIsNoneIsRefused() {
        List<FieldFault> faults = new Blueprint(
                        JsonObject.EMPTY, json("{'type': 'array', 'properties': {'a': {'pattern': '(?=a)'}}}"))
                .check();

        assertEquals(
                List.of("SCHEMA_INVALID /configSchema", "SCHEMA_INVALID /configSchema/properties/a/pattern"),
                places(faults));
    }
}
