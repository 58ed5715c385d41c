package dev.flowstone.kernel.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.payload.Payload;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What lies in the outbox between two runs. */
final class MessageCodecTest {
    private static final ActivationId A = ActivationId.parse("wait-é#3");
    private static final RunId RUN = RunId.of(Instant.EPOCH, new Slot(9), 77);
    private static final Instant AT = Instant.parse("2026-11-27T12:00:00.000001Z");
    private static final Payload EXACT = Payload.of(JsonNumber.of(new BigDecimal("0.1000000000000000055")));

    private static final List<Message> EVERYTHING = List.of(
            new Message.Subscribe(A, "paid", "k"),
            new Message.Unsubscribe(A),
            new Message.Signal("paid", "k", EXACT, Optional.of("d"), false, AT),
            new Message.Signal("paid", "k", EXACT, Optional.empty(), true, AT),
            new Message.SignalDelivered(A, 4, EXACT, true, AT),
            new Message.SignalReturned(A, 4, new Payload.Stored(Sha256.ZERO, 99), AT),
            new Message.Acquire(A, "press", 3, 2, Duration.ofMinutes(5)),
            new Message.Release(A),
            new Message.Granted(A, 2, 9, AT),
            new Message.PermitExpired(A, 10),
            new Message.Link(A, "Order", "4711", EXACT),
            new Message.Linked(A, false, RUN, EXACT),
            new Message.StartChild(
                    new WorkflowId("child"),
                    2,
                    Sha256.ZERO,
                    Map.of("trigger", EXACT),
                    A,
                    true,
                    RUN,
                    2,
                    List.of(new WorkflowId("top"), new WorkflowId("parent")),
                    "corr",
                    "user:ada"),
            new Message.Control(Message.Operation.SUSPEND, "why"),
            new Message.ChildSettled(A, Message.Ended.SUCCEEDED, EXACT, Optional.empty()),
            new Message.ChildSettled(
                    A,
                    Message.Ended.FAILED,
                    EXACT,
                    Optional.of(new Message.Reason(
                            "CODE", "it broke", JsonObject.builder().put("a", 1).build()))));

    @Test
    void everyKindComesBackFromItsBytes() throws JsonSyntaxException {
        assertEquals(
                Set.of(Message.class.getPermittedSubclasses()).stream()
                        .filter(Message.class::isAssignableFrom)
                        .collect(Collectors.toSet()),
                EVERYTHING.stream().map(Object::getClass).collect(Collectors.toSet()),
                "a new kind of message needs an example here");
        for (Message message : EVERYTHING) {
            JsonObject stored = (JsonObject) JsonParser.parse(CanonicalJson.exact(MessageCodec.write(message)));
            assertEquals(message, MessageCodec.read(stored));
        }
    }

    /** If one of these changes, letters that lie in an outbox are lost: it must not. */
    @Test
    void theFormsAreFixed() {
        List<String> forms = """
                {"activation":"wait-é#3","key":"k","message":"Subscribe","type":"paid","v":1}
                {"activation":"wait-é#3","message":"Unsubscribe","v":1}
                {"broadcast":false,"dedupe":"d","expiresAt":"2026-11-27T12:00:00.000001Z","key":"k","message":"Signal","payload":{"inline":0.1000000000000000055},"type":"paid","v":1}
                """.lines().toList();
        assertEquals(
                forms,
                EVERYTHING.subList(0, 3).stream()
                        .map(message -> CanonicalJson.exactText(MessageCodec.write(message)))
                        .toList());
    }

    @Test
    void refusesWhatItDidNotWrite() {
        assertThrows(IllegalArgumentException.class, () -> MessageCodec.read(JsonObject.EMPTY));
        JsonObject future = JsonObject.builder()
                .put("message", "Unsubscribe")
                .put("v", 2)
                .put("activation", "a#1")
                .build();
        assertThrows(IllegalArgumentException.class, () -> MessageCodec.read(future));
        JsonObject broken = JsonObject.builder()
                .put("message", "PermitExpired")
                .put("v", 1)
                .put("activation", "a#1")
                .build();
        assertThrows(IllegalArgumentException.class, () -> MessageCodec.read(broken));
    }
}
