package dev.flowstone.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.ownership.PostBox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that nodes leave for each other are handed out once, and taken back only by whoever is sure that they weren't. */
final class PostBoxTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final OpenedPorts databases = new OpenedPorts();
    private PostBox box;

    @BeforeEach
    void open() throws Exception {
        box = databases.open(TestServer.shared().database()).postBox();
    }

    @AfterEach
    void close() {
        databases.close();
    }

    private UUID post(String node, String asked, Duration patience) throws Exception {
        UUID call = UUID.randomUUID();
        box.post(call, node, asked.getBytes(UTF_8), patience);
        return call;
    }

    private static String node() {
        return "node-" + UUID.randomUUID();
    }

    @Test
    void aCallIsForItsNodeAndItsAnswerForWhoAsked() throws Exception {
        String node = node();
        UUID call = post(node, "what?", LONG);

        assertEquals(List.of(), box.take(node(), 10));
        assertFalse(box.look(call).orElseThrow().taken());
        PostBox.Posted taken = box.take(node, 10).getFirst();
        assertEquals(call, taken.call());
        assertArrayEquals("what?".getBytes(UTF_8), taken.asked());
        assertEquals(
                new PostBox.Progress(true, Optional.empty()), box.look(call).orElseThrow());
        box.answer(call, "that".getBytes(UTF_8));
        assertArrayEquals(
                "that".getBytes(UTF_8), box.look(call).orElseThrow().answer().orElseThrow());
        box.remove(call);
        assertEquals(Optional.empty(), box.look(call));
    }

    @Test
    void whatWasTakenIsNotTakenBack() throws Exception {
        String node = node();
        UUID early = post(node, "early", LONG);
        assertTrue(box.withdraw(early));
        assertEquals(List.of(), box.take(node, 10));

        UUID late = post(node, "late", LONG);
        assertEquals(1, box.take(node, 10).size());
        assertFalse(box.withdraw(late), "it may be done");
        box.answer(late, new byte[] {1});
        assertTrue(box.look(late).orElseThrow().answer().isPresent(), "its answer is heard all the same");
        box.remove(late);
        assertFalse(box.withdraw(late), "of what isn't there nobody is sure");
    }

    @Test
    void afterItsTimeNobodyTakesIt() throws Exception {
        String node = node();
        UUID call = post(node, "short", Duration.ZERO);
        assertEquals(List.of(), box.take(node, 10));
        box.sweep();
        assertTrue(box.look(call).isPresent(), "whoever posted it may still look");
        assertTrue(box.withdraw(call));

        UUID old = post(node, "old", Duration.ofMinutes(-10));
        box.sweep();
        assertEquals(Optional.empty(), box.look(old));
    }

    @Test
    void eachIsHandedOutOnce() throws Exception {
        String node = node();
        Set<UUID> posted = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            posted.add(post(node, "call " + i, LONG));
        }
        List<Callable<List<PostBox.Posted>>> takers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            takers.add(() -> {
                List<PostBox.Posted> all = new ArrayList<>();
                for (List<PostBox.Posted> some = box.take(node, 7); !some.isEmpty(); some = box.take(node, 7)) {
                    all.addAll(some);
                }
                return all;
            });
        }
        List<UUID> taken = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<List<PostBox.Posted>> taker : threads.invokeAll(takers)) {
                taker.get().forEach(call -> taken.add(call.call()));
            }
        }
        taken.addAll(box.take(node, 100).stream().map(PostBox.Posted::call).toList());
        assertEquals(posted, new HashSet<>(taken));
        assertEquals(posted.size(), taken.size(), "none twice");
    }
}
