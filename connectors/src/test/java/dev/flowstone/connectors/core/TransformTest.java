package dev.flowstone.connectors.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.RequesterLookup;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code core.transform}, through the registry that everybody has. */
final class TransformTest {
    private static final HandlerName NAME = new HandlerName("core.transform");

    private static String transformed(String parameters) throws Exception {
        TaskCall call = new TaskCall(
                new TenantId("default"),
                new WorkflowId("w"),
                new RunId(new UUID(0x7000L, Long.MIN_VALUE)),
                "corr",
                new ActivationId(new NodeId("a"), 1),
                1,
                NAME,
                JsonParser.parse(parameters.getBytes(UTF_8)),
                JsonObject.EMPTY,
                Sha256.ZERO,
                Duration.ofSeconds(1),
                LinkLookup.NONE,
                RequesterLookup.UNKNOWN,
                () -> false,
                Optional.empty());
        return switch (CoreConnector.registry().handler(NAME).orElseThrow().handle(call)) {
            case TaskResult.Ok ok -> CanonicalJson.exactText(ok.output());
            case TaskResult.Failed failed -> failed.error().message();
            case TaskResult.Skipped skipped -> skipped.reason();
        };
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{'value': 7}                                                              | 7",
                "{'value': null}                                                           | null",
                "{'value': [1, {'a': 0.10}]}                                               | [1,{'a':0.1}]",
                "{'value': {'a': 1, 'b': 2}, 'pick': ['b', 'c']}                           | {'b':2}",
                "{'value': {'a': 1, 'b': 2}, 'rename': {'a': 'x', 'q': 'y'}}               | {'b':2,'x':1}",
                "{'value': {'a': 1, 'b': 2}, 'rename': {'a': 'b', 'b': 'a'}}               | {'a':2,'b':1}",
                "{'value': {'a': null}, 'defaults': {'a': 5, 'b': [6]}}                    | {'a':5,'b':[6]}",
                "{'value': {'a': 1, 'b': 2}, 'pick': ['a'], 'rename': {'a': 'b'}}          | {'b':1}",
            })
    void picksRenamesAndCompletes(String parameters, String output) throws Exception {
        assertEquals(output.replace('\'', '"'), transformed(parameters.replace('\'', '"')));
    }

    @Test
    void whatCanNotBeDoneIsRefused() throws Exception {
        assertEquals(
                "/value: pick, rename and defaults are for an object", transformed("{\"value\": 1, \"pick\": []}"));
        assertEquals(
                "/rename: two members would get one name: give them two",
                transformed("{\"value\": {\"a\": 1, \"b\": 2}, \"rename\": {\"a\": \"b\"}}"));
        assertEquals("/value: it is missing: add it", transformed("{}"));
    }
}
