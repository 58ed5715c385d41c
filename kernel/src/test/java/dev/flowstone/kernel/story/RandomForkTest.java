package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventKinds;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Scope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The invariants after every step of random walks through programs full of forks, and those of forks over each whole log.
 * {@code -Dflowstone.walks=N}, {@code -Dflowstone.seed=S} as in {@link RandomWalkTest}.
 */
final class RandomForkTest {
    private static final long WALKS = Long.getLong("flowstone.walks", 600);

    @Test
    void theInvariantsOfForksHold() {
        Map<String, Integer> kinds = new TreeMap<>();
        Long one = Long.getLong("flowstone.seed");
        long from = one == null ? 0 : one;
        for (long seed = from; seed < (one == null ? WALKS : from + 1); seed++) {
            Story story = null;
            try {
                story = RandomWalk.of(seed, RandomForks::next);
                check(story);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + ": " + e.getMessage() + (story == null ? "" : "\n" + story.tale()), e);
            }
            for (Event event : story.events()) {
                kinds.merge(event.body().kind(), 1, Integer::sum);
            }
            kinds.merge("ended " + story.status(), 1, Integer::sum);
        }
        Set<String> missing = new TreeSet<>();
        EventKinds.of(ForkEvent.class).forEach(kind -> missing.add(kind.getSimpleName()));
        missing.removeAll(kinds.keySet());
        assertTrue(one != null || missing.isEmpty(), missing + " are missing among " + kinds);
    }

    private static void check(Story story) {
        Map<Integer, ScopeId> open = new HashMap<>();
        Set<Integer> kept = new HashSet<>();
        Set<ActivationId> fired = new HashSet<>();
        Set<ActivationId> over = new HashSet<>();
        Map<ScopeId, Integer> opened = new HashMap<>();
        Map<ScopeId, Integer> ended = new HashMap<>();
        Map<NodeId, Integer> settled = new HashMap<>();
        for (Event event : story.events()) {
            switch (event.body()) {
                case ForkEvent.BranchOpened body -> {
                    assertFalse(fired.contains(body.fork()) || over.contains(body.fork()), "opens late " + body);
                    assertEquals(null, open.put(body.number(), body.scope()), "two instances " + body);
                    opened.merge(body.scope(), 1, Integer::sum);
                }
                case ForkEvent.BranchEnded body -> {
                    ScopeId scope = open.remove(body.number());
                    assertTrue(scope != null && !kept.contains(body.number()), "ends twice " + body);
                    assertFalse(fired.contains(body.fork()), "a closed scope is judged " + body);
                    ended.merge(scope, 1, Integer::sum);
                }
                case ForkEvent.BranchCanceled body -> {
                    assertTrue(fired.contains(body.fork()), "lost before it fired " + body);
                    assertTrue(open.remove(body.number()) != null, "ends twice " + body);
                }
                case ForkEvent.BranchKept body -> assertTrue(kept.add(body.number()), "kept twice " + body);
                case EventBody.ScopeClosed body -> open.remove(body.number());
                case ForkEvent.JoinFired body -> assertTrue(fired.add(body.fork()), "I5 " + body);
                case EventBody.Transitioned body -> {
                    over.add(body.activation());
                    settled.merge(body.activation().node(), 1, Integer::sum);
                }
                case EventBody.ActivationCanceled body -> {
                    over.add(body.activation());
                    settled.merge(body.activation().node(), 1, Integer::sum);
                }
                case EventBody.ActivationSkipped body ->
                    settled.merge(body.activation().node(), 1, Integer::sum);
                case EventBody.ActivationOpened body -> {
                    boolean join = story.program().node(body.activation().node()) instanceof Node.Join;
                    assertTrue(!join || !fired.isEmpty(), "R5 " + body);
                }
                default -> {}
            }
        }
        for (Node node : story.program().nodes()) {
            Scope scope = story.program().scope(node.scope());
            if (scope.kind() == Scope.Kind.SETTLING && scope.fork().isPresent()) {
                int times = settled.getOrDefault(node.id(), 0);
                assertTrue(times >= ended.getOrDefault(scope.id(), 0), "I11 too rarely: " + node.id());
                assertTrue(times <= opened.getOrDefault(scope.id(), 0), "I11 too often: " + node.id());
            }
        }
        if (story.status().isFinal()) {
            assertEquals(Map.of(), open, "a branch that never ended");
        }
    }
}
