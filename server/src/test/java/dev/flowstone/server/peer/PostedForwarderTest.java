package dev.flowstone.server.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Method;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What is left in the database for a node that can't be reached, and what is told of it. */
final class PostedForwarderTest {
    private static final Member OWNER = new Member("two", "127.0.0.9:1", "test");

    private final Box box = new Box();
    private final PostedForwarder forwarder = new PostedForwarder(Forwarder.NONE, box);

    /** One whose node takes and answers what it is told to, at once. */
    private static final class Box implements PostBox {
        private final Map<UUID, Optional<byte[]>> calls = new ConcurrentHashMap<>();
        private Optional<Reply> answer = Optional.empty();
        private boolean takes;
        private int posted;

        @Override
        public void post(UUID call, String node, byte[] asked, Duration patience) {
            assertEquals(OWNER.name(), node);
            posted++;
            calls.put(call, answer.map(Box::bytes));
        }

        private static byte[] bytes(Reply reply) {
            try {
                return PostedCall.bytes(reply);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<Posted> take(String node, int limit) {
            return List.of();
        }

        @Override
        public void answer(UUID call, byte[] bytes) {
            calls.put(call, Optional.of(bytes));
        }

        @Override
        public Optional<Progress> look(UUID call) {
            return Optional.ofNullable(calls.get(call)).map(told -> new Progress(takes, told));
        }

        @Override
        public boolean withdraw(UUID call) {
            return !takes && calls.remove(call) != null;
        }

        @Override
        public void remove(UUID call) {
            calls.remove(call);
        }

        @Override
        public void sweep() {}
    }

    private static Forwarded call(Method method, Duration patience) {
        Caller caller = new Caller(
                Caller.Standing.TENANT, new TenantId("acme"), Actor.parse("user:ann"), Set.of(), Scope.ofATenant());
        return new Forwarded(
                method, "/api/v1/executions/x/cancel", Map.of(), "{}".getBytes(UTF_8), caller, "c", patience);
    }

    @Test
    void anAnswerIsHeardAndNothingIsLeft() {
        box.takes = true;
        box.answer = Optional.of(Reply.text("text/plain", "done"));

        Reply reply = forwarder
                .forward(OWNER, call(Method.POST, Duration.ofSeconds(40)))
                .orElseThrow();

        assertEquals("done", new String(reply.body(), UTF_8));
        assertEquals(Map.of(), box.calls);
    }

    @Test
    void whatNobodyTakesHasNotBeenDone() {
        long begin = System.nanoTime();
        assertEquals(Optional.empty(), forwarder.forward(OWNER, call(Method.POST, Duration.ofSeconds(40))));
        assertTrue(System.nanoTime() - begin >= PostedForwarder.TAKEN.toNanos());
        assertEquals(Map.of(), box.calls);
    }

    @Test
    void ofWhatWasTakenAndNeverAnsweredNobodyKnows() {
        box.takes = true;
        Reply reply = forwarder.forward(OWNER, call(Method.POST, Duration.ZERO)).orElseThrow();
        assertEquals(503, reply.status());
        assertTrue(new String(reply.body(), UTF_8).contains("UNAVAILABLE"));
        assertEquals(Map.of(), box.calls);
    }

    @Test
    void looksAndClaimsAndCallsOfNodesWithoutADoorAreNotPosted() {
        assertEquals(Optional.empty(), forwarder.forward(OWNER, call(Method.GET, Duration.ofSeconds(40))));
        assertEquals(Optional.empty(), forwarder.forwardAtOnce(OWNER, call(Method.POST, Duration.ofSeconds(40))));
        Member alone = new Member("two", "", "test");
        assertEquals(Optional.empty(), forwarder.forward(alone, call(Method.POST, Duration.ofSeconds(40))));
        assertEquals(0, box.posted);
    }
}
