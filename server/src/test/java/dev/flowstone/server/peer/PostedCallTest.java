package dev.flowstone.server.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Method;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Scope;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Calls and answers come out of the database as they were put there, or not at all. */
final class PostedCallTest {
    private static final Forwarded CALL = new Forwarded(
            Method.POST,
            "/api/v1/executions/x/cancel?a=%C3%A4",
            Map.of("Idempotency-Key", "k", "traceparent", "00-1-2-01"),
            "{\"reason\": \"ä\"}".getBytes(UTF_8),
            new Caller(
                    Caller.Standing.TENANT,
                    new TenantId("acme"),
                    Actor.parse("user:ann"),
                    Set.of("clerk"),
                    Scope.ofATenant()),
            "correlation",
            Duration.ofSeconds(40));

    private static final Reply REPLY = new Reply(
            202,
            "application/json",
            "{}".getBytes(UTF_8),
            Optional.of("r3"),
            Map.of("Location", "/there", "Retry-After", "1"),
            false,
            Optional.empty());

    @Test
    void aCallComesOutAsItWentIn() throws Exception {
        Forwarded read = PostedCall.call(PostedCall.bytes(CALL));
        assertEquals(CALL.method(), read.method());
        assertEquals(CALL.target(), read.target());
        assertEquals(CALL.headers(), read.headers());
        assertArrayEquals(CALL.body(), read.body());
        assertEquals(CALL.caller(), read.caller());
        assertEquals(CALL.correlation(), read.correlation());
        assertEquals(CALL.patience(), read.patience());
    }

    @Test
    void anAnswerKeepsWhatIsItsOwn() throws Exception {
        Reply read = PostedCall.reply(PostedCall.bytes(REPLY.header("Content-Security-Policy", "none")));
        assertEquals(REPLY.status(), read.status());
        assertEquals(REPLY.mediaType(), read.mediaType());
        assertEquals(REPLY.etag(), read.etag());
        assertEquals(REPLY.headers(), read.headers());
        assertArrayEquals(REPLY.body(), read.body());
    }

    @Test
    void whatIsCutOffOrOfAnotherFormIsRefused() throws Exception {
        byte[] call = PostedCall.bytes(CALL);
        byte[] reply = PostedCall.bytes(REPLY);
        for (int length = 0; length < call.length; length++) {
            byte[] cut = Arrays.copyOf(call, length);
            assertThrows(IOException.class, () -> PostedCall.call(cut));
        }
        for (int length = 0; length < reply.length; length++) {
            byte[] cut = Arrays.copyOf(reply, length);
            assertThrows(IOException.class, () -> PostedCall.reply(cut));
        }
        call[0] = 2;
        assertThrows(IOException.class, () -> PostedCall.call(call));
    }
}
