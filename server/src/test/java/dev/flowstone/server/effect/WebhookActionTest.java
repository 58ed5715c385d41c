package dev.flowstone.server.effect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.OneWayAction.Posting;
import dev.flowstone.engine.task.OneWayCall;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@code core.webhook} takes, and what it says of what it doesn't. */
final class WebhookActionTest {
    private static final Instant AT = Instant.parse("2026-11-28T12:00:00.123456Z");

    private static JsonValue json(String text) {
        try {
            return JsonParser.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }

    private static Posting post(String input) {
        RunKey run = new RunKey(new TenantId("acme"), RunId.of(AT, new Slot(1), 7));
        return new WebhookAction(Set.of("shop"))
                .post(new OneWayCall(run, new WorkflowId("w"), "c", ActivationId.parse("tell#1"), 1, json(input), AT));
    }

    private static void invalid(String code, String path, String input) {
        Posting.Invalid invalid = assertInstanceOf(Posting.Invalid.class, post(input), input);
        assertEquals(code + " " + path, invalid.code() + " " + invalid.path(), input);
    }

    @Test
    void saysWhatHappenedAndWhen() {
        Posting.Message message = assertInstanceOf(
                Posting.Message.class,
                post("{'endpoint': 'shop', 'type': 'com.example.order.paid', 'data': [1, 0.10, {'n': null}]}"));

        assertEquals("webhook:shop", message.destination());
        assertEquals(
                json("{'type': 'com.example.order.paid', 'timestamp': '2026-11-28T12:00:00.123456Z',"
                        + " 'data': [1, 0.10, {'n': null}]}"),
                message.content());
    }

    @Test
    void dataMayBeLeftOut() {
        Posting.Message message = assertInstanceOf(Posting.Message.class, post("{'endpoint': 'shop', 'type': 'paid'}"));

        assertEquals(json("{}"), message.content().get("data"));
    }

    @Test
    void whatIsWrongIsNamed() {
        invalid("INVALID_PARAMETER", "", "7");
        invalid("INVALID_PARAMETER", "/endpoint", "{'type': 'paid'}");
        invalid("INVALID_PARAMETER", "/endpoint", "{'endpoint': 7, 'type': 'paid'}");
        invalid("UNKNOWN_ENDPOINT", "/endpoint", "{'endpoint': 'Shop', 'type': 'paid'}");
        invalid("INVALID_PARAMETER", "/type", "{'endpoint': 'shop'}");
        invalid("INVALID_PARAMETER", "/type", "{'endpoint': 'shop', 'type': ''}");
        invalid("INVALID_PARAMETER", "/type", "{'endpoint': 'shop', 'type': 'a..b'}");
        invalid("INVALID_PARAMETER", "/type", "{'endpoint': 'shop', 'type': 'a b'}");
        invalid("INVALID_PARAMETER", "/type", "{'endpoint': 'shop', 'type': '" + "a".repeat(201) + "'}");
        invalid("INVALID_PARAMETER", "/url", "{'endpoint': 'shop', 'type': 'paid', 'url': 'http://evil'}");
    }
}
