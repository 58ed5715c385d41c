package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.DagCompilation.Refused;
import dev.flowstone.dialect.dag.DagSchema.Property;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Fault;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** One small definition for each kind of fault: its code, its place, and what its message or remedy must say. */
final class FaultTableTest {
    private static final String HEAD = "{\"id\":\"w\",\"displayName\":\"W\",\"startNode\":\"a\",\n";
    private static final String ECHO = "\"actionType\":\"core.echo\"";

    private static final List<Case> TABLE = List.of(
            // The text and the object as a whole.
            new Case("{\"id\":\"w\",\n  nodes: []}", "2 JSON_SYNTAX ", "name"),
            new Case("{\"id\":\"w\",\n\"id\":\"v\"}", "2 JSON_SYNTAX ", "id"),
            new Case("", "1 JSON_SYNTAX ", ""),
            new Case("[]", "1 WRONG_TYPE ", "must be an object, but is an array"),
            new Case(
                    "{\"$schema\":\n\"bpmn\",\"what\":1}",
                    "2 UNKNOWN_DIALECT /$schema",
                    "'dag', 'urn:flowstone:dialect:dag' or 'urn:flowstone:dialect:dag:1'"),
            new Case(
                    HEAD + "\"$schema\":1,\n" + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 WRONG_TYPE /$schema",
                    "a string"),
            // Properties.
            new Case(
                    HEAD + "\"startnode\":\"a\",\n" + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 UNKNOWN_PROPERTY /startnode",
                    "did you mean 'startNode'?"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"timeoutMs\":5}"),
                    "3 UNKNOWN_PROPERTY /nodes/0/timeoutMs",
                    "it belongs in 'policies'"),
            new Case(
                    HEAD + "\"timeoutMs\":5,\n" + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 UNKNOWN_PROPERTY /timeoutMs",
                    "it belongs in 'settings'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\n\"retry\":{\"maxRetries\":1}}}"),
                    "3 UNKNOWN_PROPERTY /nodes/0/policies/retry/maxRetries",
                    "remove it; 'retry' has 'maxAttempts', 'baseDelayMs', 'backoffFactor' and 'jitter'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"a/b~c\":1}"),
                    "2 UNKNOWN_PROPERTY /nodes/0/a~1b~0c",
                    "no property 'a/b~c'"),
            new Case(
                    "{\"id\":\"w\",\n\"displayName\":\"W\\u0000\",\"startNode\":\"a\","
                            + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 BAD_TEXT /displayName",
                    "remove it"),
            new Case(
                    "{\"id\":\"w\",\n\"displayName\":\"" + "W".repeat(501) + "\",\"startNode\":\"a\","
                            + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 BAD_TEXT /displayName",
                    "it has 501"),
            new Case(
                    HEAD + "\"description\":\"two\\nlines\\u001b[2J\",\n" + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 BAD_TEXT /description",
                    "remove it"),
            new Case(
                    "{\"id\":\"w\",\"displayName\":\"W\",\n" + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "1 MISSING_PROPERTY ",
                    "no 'startNode'"),
            new Case(
                    HEAD + nodes("\n{\"id\":\"a\"}"),
                    "3 MISSING_PROPERTY /nodes/0",
                    "the node 'a' has no 'actionType'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + "},\n{" + ECHO + "}"),
                    "3 MISSING_PROPERTY /nodes/1",
                    "no 'id'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"edges\":[{\"when\":\"always\"}]}"),
                    "3 MISSING_PROPERTY /nodes/0/edges/0",
                    "no 'targetNode'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"edges\":{}}"),
                    "3 WRONG_TYPE /nodes/0/edges",
                    "an array"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"parameters\":null}"),
                    "3 WRONG_TYPE /nodes/0/parameters",
                    "leave it out"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"routePolicy\":\"firstmatch\"}"),
                    "3 NOT_ALLOWED /nodes/0/routePolicy",
                    "did you mean 'firstMatch'?"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO
                                            + ",\"edges\":[{\"targetNode\":\"b\",\n\"when\":\"sometimes\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 NOT_ALLOWED /nodes/0/edges/0/when",
                    "'success', 'failure' or 'always'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\n\"timeoutMs\":0}}"),
                    "3 OUT_OF_RANGE /nodes/0/policies/timeoutMs",
                    "at least 1, but is 0"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\n\"timeoutMs\":1.5}}"),
                    "3 WRONG_TYPE /nodes/0/policies/timeoutMs",
                    "whole number"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\"retry\":{\n\"backoffFactor\":0.5}}}"),
                    "3 OUT_OF_RANGE /nodes/0/policies/retry/backoffFactor",
                    "at least 1"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\"retry\":{\n\"maxAttempts\":102}}}"),
                    "3 OUT_OF_RANGE /nodes/0/policies/retry/maxAttempts",
                    "raise the limit dag.maxRetries"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\"retry\":{\n\"maxAttempts\":-1}}}"),
                    "3 OUT_OF_RANGE /nodes/0/policies/retry/maxAttempts",
                    "at least 0"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\"retry\":{\n\"maxAttempts\":1.5}}}"),
                    "3 WRONG_TYPE /nodes/0/policies/retry/maxAttempts",
                    "whole number"),
            // Ids.
            new Case(
                    "{\"displayName\":\"W\",\"startNode\":\"a\",\n\"id\":\"My Flow\","
                            + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 BAD_ID /id",
                    "write 'my-flow'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + "},\n{\"id\":\"\"," + ECHO + "}"),
                    "3 BAD_ID /nodes/1/id",
                    "isn't empty",
                    "3 UNREACHABLE_NODE /nodes/1"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"onFailure\":\"$end\"},\n{\"id\":\"$end\"," + ECHO + "}"),
                    "3 BAD_ID /nodes/1/id",
                    "reserved"),
            new Case(
                    HEAD
                            + nodes("{\"id\":\"a\"," + ECHO + ",\"onFailure\":\"b\\u0007\"},\n{\"id\":\"b\\u0007\","
                                    + ECHO + "}"),
                    "3 BAD_ID /nodes/1/id",
                    "can't be shown"),
            new Case(
                    HEAD
                            + nodes("{\"id\":\"a\"," + ECHO + ",\"onFailure\":\"" + "x".repeat(101) + "\"},\n{\"id\":\""
                                    + "x".repeat(101) + "\"," + ECHO + "}"),
                    "3 BAD_ID /nodes/1/id",
                    "raise the limit dag.maxIdLength"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + "},\n{\"id\":\"a\"," + ECHO + "}"),
                    "3 DUPLICATE_NODE_ID /nodes/1/id",
                    "belongs to the node at /nodes/0 already"),
            new Case(
                    "{\"id\":\"w\",\"startNode\":\"a\",\"displayName\":\"W\",\n\"description\":\"a\\u0000b\","
                            + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 BAD_TEXT /description",
                    "remove it"),
            // The graph.
            new Case(
                    "{\"id\":\"w\",\"displayName\":\"W\",\n\"startNode\":\"A\"," + nodes("{\"id\":\"a\"," + ECHO + "}"),
                    "2 UNKNOWN_NODE /startNode",
                    "did you mean 'a'?"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"edges\":[\n{\"targetNode\":\"notfy\"}]}",
                                    "{\"id\":\"notify\"," + ECHO + "}"),
                    "3 UNKNOWN_NODE /nodes/0/edges/0/targetNode",
                    "did you mean 'notify'?"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"onFailure\":\"zebra\"}"),
                    "3 UNKNOWN_NODE /nodes/0/onFailure",
                    "name one of the workflow's nodes: 'a'"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"edges\":[{\"targetNode\":\"b\"}]}",
                                    "{\"id\":\"b\"," + ECHO + ",\n\"onFailure\":\"a\"}"),
                    "3 CYCLE /nodes/1/onFailure",
                    "a → b → a"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"edges\":[\n{\"targetNode\":\"a\"}]}"),
                    "3 CYCLE /nodes/0/edges/0/targetNode",
                    "a → a"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + "},\n{\"id\":\"b\"," + ECHO + "}"),
                    "3 UNREACHABLE_NODE /nodes/1",
                    "from the start 'a' to the node 'b'"),
            // Actions.
            new Case(
                    HEAD + nodes("{\"id\":\"a\",\n\"actionType\":\"Core.Ecko\"}"),
                    "3 UNKNOWN_ACTION /nodes/0/actionType",
                    "did you mean 'core.echo'?"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\",\n\"actionType\":\"zzz\"}"),
                    "3 UNKNOWN_ACTION /nodes/0/actionType",
                    "there are 'confluence.create-page', 'core.delay', 'core.echo', 'core.fail'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\",\n\"actionType\":\"acme.create-ticket\"}"),
                    "3 UNKNOWN_ACTION /nodes/0/actionType",
                    "a connector's jar (connector.plugins)"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\",\n\"nodeType\":\"workflow\"," + ECHO + "}"),
                    "3 NOT_ALLOWED /nodes/0/nodeType",
                    "'action' or 'subworkflow'"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"policies\":{\"retry\":{\n\"baseDelayMs\":-1}}}"),
                    "3 OUT_OF_RANGE /nodes/0/policies/retry/baseDelayMs",
                    "at least 0, but is -1"),
            // Subworkflows.
            new Case(
                    HEAD + nodes("\n{\"id\":\"a\",\"nodeType\":\"subworkflow\"}"),
                    "3 MISSING_PROPERTY /nodes/0",
                    "the node 'a' has no 'workflowId'"),
            call("\n\"workflowId\":\"\"", "3 BAD_ID /nodes/0/workflowId", "isn't empty"),
            call("\n\"workflowId\":\"x\\u0000\"", "3 BAD_ID /nodes/0/workflowId", "can't be shown"),
            call(
                    "\"workflowId\":\"x\",\n\"workflowVersion\":0",
                    "3 OUT_OF_RANGE /nodes/0/workflowVersion",
                    "at least 1, but is 0"),
            call("\"workflowId\":\"x\",\n\"workflowVersion\":\"2\"", "3 WRONG_TYPE /nodes/0/workflowVersion", "whole"),
            call(
                    "\"workflowId\":\"x\",\n\"waitForCompletion\":1",
                    "3 WRONG_TYPE /nodes/0/waitForCompletion",
                    "true or false"),
            call("\"workflowId\":\"x\",\n\"parameters\":[]", "3 WRONG_TYPE /nodes/0/parameters", "an object"),
            call(
                    "\"workflowId\":\"x\",\n" + ECHO,
                    "3 IGNORED_PROPERTY /nodes/0/actionType",
                    "the node 'a' is a subworkflow"),
            call(
                    "\"workflowId\":\"x\",\"policies\":{\n\"retry\":{\"maxAttempts\":1}}",
                    "3 IGNORED_PROPERTY /nodes/0/policies/retry",
                    "calls its subworkflow once"),
            call(
                    "\"workflowId\":\"x\",\"policies\":{\n\"rerenderOnRetry\":true}",
                    "3 IGNORED_PROPERTY /nodes/0/policies/rerenderOnRetry",
                    "calls its subworkflow once"),
            call(
                    "\"workflowId\":\"x\",\"waitForCompletion\":false,\"policies\":{\n\"timeoutMs\":5}",
                    "3 IGNORED_PROPERTY /nodes/0/policies/timeoutMs",
                    "doesn't wait"),
            call(
                    "\"workflowId\":\"x\",\"policies\":{\n\"timeoutMs\":3600000}",
                    "3 TIMEOUT_BEYOND_DEADLINE /nodes/0/policies/timeoutMs",
                    "PT1H after its start"),
            call("\n\"workflowId\":\"w\"", "3 RECURSIVE_CALL /nodes/0/workflowId", "'w' → 'w'"),
            // Settings.
            settings("[]", "2 WRONG_TYPE /settings", "an object"),
            settings("{\"timeout\":1}", "2 UNKNOWN_PROPERTY /settings/timeout", "did you mean 'timeoutMs'?"),
            settings("{\"timeoutMs\":0}", "2 OUT_OF_RANGE /settings/timeoutMs", "at least 1, but is 0"),
            settings("{\"timeoutMs\":1e15}", "2 OUT_OF_RANGE /settings/timeoutMs", "raise the limit dag.maxDelay"),
            settings("{\"maxParallelActions\":0}", "2 OUT_OF_RANGE /settings/maxParallelActions", "at least 1"),
            settings("{\"maxParallelActions\":\"2\"}", "2 WRONG_TYPE /settings/maxParallelActions", "a whole number"),
            settings(
                    "{\"context\":{\"snapshot\":\"Whole\"}}",
                    "2 NOT_ALLOWED /settings/context/snapshot",
                    "'SummaryOnly', 'Full' or 'KeysOnly'"),
            settings(
                    "{\"context\":{\"snapshot\":\"KeysOnly\"}}",
                    "2 MISSING_PROPERTY /settings/context",
                    "name the nodes"),
            settings(
                    "{\"context\":{\"keys\":[\"a\",\"b\",1]}}",
                    List.of(
                            "2 IGNORED_PROPERTY /settings/context/keys",
                            "2 UNKNOWN_NODE_REFERENCE /settings/context/keys/1",
                            "2 WRONG_TYPE /settings/context/keys/2"),
                    "there is no such node"),
            settings("{\"context\":{\"maxBytes\":0}}", "2 OUT_OF_RANGE /settings/context/maxBytes", "at least 1"),
            settings(
                    "{\"context\":{\"overflow\":\"Prune\"}}",
                    "2 NOT_ALLOWED /settings/context/overflow",
                    "'Fail', 'AutoPruneOldest' or 'DropOversize'"),
            delay("{}", "3 ACTION_PARAMETERS /nodes/0", "doesn't say how long"),
            delay("{\"durationMs\":1,\"duration\":\"PT1S\"}", "3 ACTION_PARAMETERS /nodes/0/parameters", "not both"),
            delay(
                    "{\"durationMS\":1,\"duration\":\"PT1S\"}",
                    "3 ACTION_PARAMETERS /nodes/0/parameters/durationMS",
                    "did you mean 'durationMs'?"),
            delay("{\"durationMs\":\"soon\"}", "3 ACTION_PARAMETERS /nodes/0/parameters/durationMs", "a whole number"),
            delay(
                    "{\"durationMs\":\"{{ trigger.a }}0\"}",
                    "3 ACTION_PARAMETERS /nodes/0/parameters/durationMs",
                    "one '{{ … }}'"),
            delay("{\"durationMs\":-1}", "3 OUT_OF_RANGE /nodes/0/parameters/durationMs", "negative"),
            delay(
                    "{\"durationMs\":1e30}",
                    "3 OUT_OF_RANGE /nodes/0/parameters/durationMs",
                    "raise the limit dag.maxDelay"),
            delay("{\"duration\":\"P1Y\"}", "3 ACTION_PARAMETERS /nodes/0/parameters/duration", "no fixed length"),
            delay("{\"duration\":\"PT-5S\"}", "3 OUT_OF_RANGE /nodes/0/parameters/duration", "negative"),
            delay("{\"duration\":\"P9999999D\"}", "3 OUT_OF_RANGE /nodes/0/parameters/duration", "maxDelay"),
            new Case(
                    HEAD
                            + nodes("{\"id\":\"a\",\"actionType\":\"core.delay\",\"parameters\":{\"durationMs\":1},\n"
                                    + "\"policies\":{}}"),
                    "3 IGNORED_PROPERTY /nodes/0/policies",
                    "a delay is a timer"),
            delay("{\"duration\":\"PT2H\"}", "3 DELAY_BEYOND_DEADLINE /nodes/0/parameters/duration", "PT1H"),
            // Conditions and templates.
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO
                                            + ",\"edges\":[{\"targetNode\":\"b\",\n\"condition\":\"1 +\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 CONDITION_INVALID /nodes/0/edges/0/condition",
                    "character"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"parameters\":{\"x\":[0,\n\"ab {{ 1 + }}\"]}}"),
                    "3 TEMPLATE_INVALID /nodes/0/parameters/x/1",
                    "character"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\"parameters\":{\n\"x\":\"{{ triger.x }}\"}}"),
                    "3 UNKNOWN_NAME /nodes/0/parameters/x",
                    "did you mean 'trigger'?"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"parameters\":{\n\"x\":\"{{ context.data['B'].x }}\"},"
                                            + "\"edges\":[{\"targetNode\":\"b\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 UNKNOWN_NODE_REFERENCE /nodes/0/parameters/x",
                    "did you mean 'b'?"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"edges\":[{\"targetNode\":\"b\",\n"
                                            + "\"condition\":\"context.data.b.x\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 NOT_UPSTREAM /nodes/0/edges/0/condition",
                    "'b', which doesn't run before 'a'"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"edges\":[{\"targetNode\":\"b\",\n"
                                            + "\"condition\":\"triger.x\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 UNKNOWN_NAME /nodes/0/edges/0/condition",
                    "did you mean 'trigger'?"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"parameters\":{\n\"x\":\"{{ context.data.b.x }}\"},"
                                            + "\"edges\":[{\"targetNode\":\"b\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 NOT_UPSTREAM /nodes/0/parameters/x",
                    "'b', which doesn't run before 'a'"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO + ",\"edges\":[{\"targetNode\":\"b\",\n"
                                            + "\"condition\":\"context.data.c.x\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 UNKNOWN_NODE_REFERENCE /nodes/0/edges/0/condition",
                    "did you mean 'a'?"),
            // The trigger's schema.
            schema("{\"type\":\"objekt\"}", "2 TRIGGER_SCHEMA_INVALID /triggerSchema/type", "enumeration"),
            schema("{\"properties\":[]}", "2 TRIGGER_SCHEMA_INVALID /triggerSchema/properties", "object"),
            schema(
                    "{\"$schema\":\"http://example.com/mine\"}",
                    "2 TRIGGER_SCHEMA_INVALID /triggerSchema/$schema",
                    "leave it out for draft-07"),
            schema(
                    "{\"$ref\":\"https://example.com/x.json\"}",
                    "2 TRIGGER_SCHEMA_INVALID /triggerSchema/$ref",
                    "outside itself"),
            schema(
                    "{\"$ref\":\"#/definitions/nowhere\"}",
                    "2 TRIGGER_SCHEMA_INVALID /triggerSchema/$ref",
                    "no schema at"),
            schema(
                    "{\"properties\":{\"a\":{\"pattern\":\"(a+)+(?=b)\"}}}",
                    "2 TRIGGER_SCHEMA_INVALID /triggerSchema/properties/a/pattern",
                    "linear time"),
            schema("[]", "2 WRONG_TYPE /triggerSchema", "an object"),
            // Without effect.
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"workflowVersion\":1,\"waitForCompletion\":true}"),
                    List.of(
                            "3 IGNORED_PROPERTY /nodes/0/workflowVersion",
                            "3 IGNORED_PROPERTY /nodes/0/waitForCompletion"),
                    "is an action"),
            new Case(
                    HEAD + nodes("{\"id\":\"a\"," + ECHO + ",\n\"workflowId\":\"x\"}"),
                    "3 IGNORED_PROPERTY /nodes/0/workflowId",
                    "is an action"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO
                                            + ",\"routePolicy\":\"firstMatch\",\"edges\":[{\"targetNode\":\"b\"},\n"
                                            + "{\"targetNode\":\"b\",\"condition\":\"trigger.x\"}]}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 EDGE_NEVER_TAKEN /nodes/0/edges/1",
                    "always taken first"),
            new Case(
                    HEAD
                            + nodes(
                                    "{\"id\":\"a\"," + ECHO
                                            + ",\"edges\":[{\"targetNode\":\"b\",\"when\":\"failure\"}],\n"
                                            + "\"onFailure\":\"b\"}",
                                    "{\"id\":\"b\"," + ECHO + "}"),
                    "3 EDGE_NEVER_TAKEN /nodes/0/onFailure",
                    "no condition"));

    @TestFactory
    Stream<DynamicTest> namesEachFaultWithItsPlace() {
        return TABLE.stream()
                .map(it -> DynamicTest.dynamicTest(it.expected().getFirst() + " ← " + it.says(), it::check));
    }

    /** Those that no small text can show are shown in {@link LimitTest}, {@link TriggerTest}, {@link CompilationTest}, {@link DagDialectTest} and {@link SubworkflowTest}. */
    @Test
    void leavesNoCodeUntested() {
        Set<FaultCode> shown = TABLE.stream()
                .flatMap(it -> it.expected().stream())
                .map(it -> FaultCode.valueOf(it.split(" ", -1)[1]))
                .collect(Collectors.toSet());
        Set<FaultCode> missing = EnumSet.allOf(FaultCode.class);
        missing.removeAll(shown);

        assertEquals(shownElsewhere(), missing);
    }

    static Set<FaultCode> shownElsewhere() {
        return EnumSet.of(
                FaultCode.SOURCE_TOO_LARGE,
                FaultCode.TOO_MANY_NODES,
                FaultCode.TOO_MANY_EDGES,
                FaultCode.TOO_MANY_EXPRESSIONS,
                FaultCode.ACTION_DISABLED,
                FaultCode.ACTION_DEPRECATED,
                FaultCode.TEMPLATE_FAILS,
                FaultCode.TRIGGER_INVALID,
                FaultCode.MORE_FAULTS,
                FaultCode.OLDER_COMPILER,
                FaultCode.TEMPLATE_NEEDS_DATA,
                FaultCode.UNKNOWN_WORKFLOW);
    }

    /** Each definition of the table. */
    static Stream<String> definitions() {
        return TABLE.stream().map(Case::source);
    }

    /** Each fault of the table. */
    static Stream<At> faults() {
        return TABLE.stream().flatMap(it -> it.expected().stream()).map(it -> {
            List<String> words = List.of(it.split(" ", -1));
            return new At(FaultCode.valueOf(words.get(1)), words.get(2));
        });
    }

    /** A fault and where it is. */
    record At(FaultCode code, String pointer) {
        /** Whether it is a fault of this property, or of what is in it. */
        boolean isAt(Property property) {
            String place = pointer.replaceAll("/[0-9]+", "/0");
            String here = property.pointer();
            // That parameters are missing is told of the whole node.
            boolean ofAnItem =
                    property.type().equals("array") && place.equals(here + "/0") && code != FaultCode.ACTION_PARAMETERS;
            boolean inside = property.refersTo().isEmpty() && place.startsWith(here + "/");
            boolean missing = code == FaultCode.MISSING_PROPERTY && place.equals(DagSchema.place(property.kind()));
            return place.equals(here) || ofAnItem || inside || missing;
        }
    }

    private static String nodes(String... nodes) {
        return "\"nodes\":[" + String.join(",", nodes) + "]}";
    }

    private static Case delay(String parameters, String expected, String says) {
        return new Case(
                HEAD + nodes("\n{\"id\":\"a\",\"actionType\":\"core.delay\",\"parameters\":" + parameters + "}"),
                expected,
                says);
    }

    private static Case call(String members, String expected, String says) {
        return new Case(HEAD + nodes("{\"id\":\"a\",\"nodeType\":\"subworkflow\"," + members + "}"), expected, says);
    }

    private static Case settings(String settings, String expected, String says) {
        return settings(settings, List.of(expected), says);
    }

    private static Case settings(String settings, List<String> expected, String says) {
        return new Case(
                HEAD + "\"settings\":" + settings + ",\n" + nodes("{\"id\":\"a\"," + ECHO + "}"), expected, says);
    }

    private static Case schema(String schema, String expected, String says) {
        return new Case(
                HEAD + "\"triggerSchema\":" + schema + ",\n" + nodes("{\"id\":\"a\"," + ECHO + "}"), expected, says);
    }

    /** A definition, its faults as {@code line CODE pointer}, and a piece of the first one's text. */
    private record Case(String source, List<String> expected, String says) {
        Case(String source, String expected, String says) {
            this(source, List.of(expected), says);
        }

        Case(String source, String expected, String says, String further) {
            this(source, List.of(expected, further), says);
        }

        void check() {
            DagCompilation compilation = Dags.compile(source);
            List<Fault> faults = compilation.faults();

            assertEquals(
                    expected.stream().sorted().toList(),
                    Dags.brief(faults).stream().sorted().toList(),
                    faults::toString);
            String text = faults.stream().map(Fault::toString).collect(Collectors.joining("\n"));
            assertTrue(text.contains(says), text);
            boolean refused = faults.stream().anyMatch(Fault::isError);
            assertTrue(refused ? compilation instanceof Refused : compilation instanceof Compiled);
            faults.forEach(it ->
                    assertTrue(!it.message().isBlank() && !it.remedy().isBlank() && it.column() > 0, it::toString));
        }
    }
}
