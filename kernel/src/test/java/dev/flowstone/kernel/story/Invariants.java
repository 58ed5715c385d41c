package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The invariants of kernel.md that part 1 can break, each checked after every step of a story. */
final class Invariants {
    private Invariants() {}

    static void check(Story story, RunState before, Decision.Accepted accepted) {
        try {
            foldIsLiveState(story, before, accepted);
            snapshotGivesTheSameState(story);
            chainIsGapless(story);
            activationsSettleOnce(story);
            decisionsAreAppliedOnce(story);
            nestedScopesSettle(story);
            if (story.status().isFinal()) {
                aFinalRunHoldsNothing(story.state());
                everyNodeOfASettlingRootSettles(story);
            } else {
                somethingCanWakeIt(story.state());
            }
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\n" + story.tale()
                            + CanonicalJson.exactText(story.state().toJson()),
                    e);
        }
    }

    /** I1: from the decoded events, not from those in memory. */
    private static void foldIsLiveState(Story story, RunState before, Decision.Accepted accepted) {
        RunState folded = before;
        List<Event> all = story.events();
        for (Event event : all.subList(all.size() - accepted.events().size(), all.size())) {
            folded = folded.apply(event);
        }
        same(folded, story.state(), () -> "I1");
    }

    private static void snapshotGivesTheSameState(Story story) {
        RunState state = story.state();
        RunState restored = story.restore(state.toJson());
        same(restored, state, () -> "snapshot");
        assertEquals(restored.weight(), state.weight(), "weight");
        assertEquals(restored.contextBytes(), state.contextBytes(), "context");
    }

    /** Byte for byte. It is asked at every step of every walk, so words are made for a difference only. */
    static void same(RunState expected, RunState actual, Supplier<String> rule) {
        byte[] one = CanonicalJson.exact(expected.toJson());
        byte[] other = CanonicalJson.exact(actual.toJson());
        if (!Arrays.equals(one, other)) {
            assertEquals(new String(one, StandardCharsets.UTF_8), new String(other, StandardCharsets.UTF_8), rule);
            assertArrayEquals(one, other, rule);
        }
    }

    /** I2: decoding has verified the links already. */
    private static void chainIsGapless(Story story) {
        List<Event> events = story.events();
        assertEquals(events.size(), story.state().lastSequence(), "I2");
        if (!events.isEmpty()) {
            assertEquals(events.getLast().hash(), story.state().lastHash(), "I2");
            assertEquals(events.getLast().sequence(), events.size(), "I2");
        }
    }

    /** I3 */
    static void aFinalRunHoldsNothing(RunState state) {
        assertTrue(state.openAttempts().isEmpty(), "I3 attempts");
        assertTrue(state.timers().isEmpty(), "I3 timers");
        assertEquals(Hold.NONE, state.hold(), "I3 hold");
        assertEquals(0, state.buffered(), "I3 buffer");
        assertTrue(state.awaits().isEmpty(), "I3 subscriptions");
        assertTrue(state.permits().isEmpty(), "I3 permits");
        assertTrue(state.children().stream().noneMatch(child -> child.awaited()), "I3 children");
        assertTrue(state.humanTasks().isEmpty(), "I3 human tasks");
        assertFalse(state.continues(), "I3 work");
        JsonObject json = state.toJson();
        assertEquals(JsonArray.EMPTY, json.get("incidents"), "I3 incidents");
        String text = CanonicalJson.exactText(json);
        assertFalse(text.contains("\"status\":\"READY\"") || text.contains("\"status\":\"ACTIVE\""), "I3 activations");
    }

    /** I4, from the whole log. */
    private static void activationsSettleOnce(Story story) {
        Set<ActivationId> opened = new HashSet<>();
        Set<ActivationId> results = new HashSet<>();
        Set<ActivationId> ended = new HashSet<>();
        for (Event event : story.events()) {
            switch (event.body()) {
                case EventBody.ActivationOpened body -> assertTrue(opened.add(body.activation()), "R5 " + body);
                case EventBody.TaskCompleted body -> assertTrue(results.add(body.activation()), "I4 " + body);
                case EventBody.TaskFailed body
                when body.settles() -> assertTrue(results.add(body.activation()), "I4 " + body);
                case EventBody.TaskTimedOut body
                when body.settles() -> assertTrue(results.add(body.activation()), "I4 " + body);
                case EventBody.ActivationCanceled body -> {
                    assertFalse(results.contains(body.activation()), "I4 " + body);
                    assertTrue(ended.add(body.activation()), "I4 " + body);
                }
                case EventBody.ActivationSkipped body -> {
                    assertFalse(opened.contains(body.activation()), "I4 " + body);
                    assertTrue(ended.add(body.activation()), "I4 " + body);
                }
                case EventBody.Transitioned body -> assertTrue(ended.add(body.activation()), "I4 " + body);
                case ControlEvent.IncidentResolved body
                when body.how() == ControlEvent.Resolution.RETRIED -> retried(story, body, results);
                case CompensationEvent.CompensationScheduled body ->
                    assertTrue(opened.add(body.activation()), "I10 " + body);
                case CompensationEvent.CompensationApplied body ->
                    assertTrue(ended.add(body.activation()), "I10 " + body);
                default -> {}
            }
        }
    }

    /** What an operator tries again may settle again. */
    private static void retried(Story story, ControlEvent.IncidentResolved body, Set<ActivationId> results) {
        Event raised = story.events().get((int) body.sequence() - 1);
        ((EventBody.IncidentRaised) raised.body()).activation().ifPresent(results::remove);
    }

    /** I9: what is applied was decided, holds, and wasn't applied before. */
    private static void decisionsAreAppliedOnce(Story story) {
        Set<ActivationId> usable = new HashSet<>();
        for (Event event : story.events()) {
            switch (event.body()) {
                case HumanEvent.HumanTaskSettled body -> assertTrue(usable.add(body.activation()), "I4 " + body);
                case HumanEvent.DecisionsVoided body -> usable.remove(body.activation());
                case HumanEvent.DecisionApplied body -> assertTrue(usable.remove(body.decided()), "I9 " + body);
                default -> {}
            }
        }
    }

    /** I8 */
    static void somethingCanWakeIt(RunState state) {
        assertTrue(
                !state.openAttempts().isEmpty()
                        || !state.timers().isEmpty()
                        || state.continues()
                        || state.hold() == Hold.SUSPENDED
                        || !state.awaits().isEmpty()
                        || !state.children().isEmpty()
                        || !state.humanTasks().isEmpty()
                        || !state.attestations().isEmpty()
                        || !JsonArray.EMPTY.equals(state.toJson().get("incidents")),
                "I8");
    }

    /** I11: opened and ended, or skipped, exactly once. */
    private static void everyNodeOfASettlingRootSettles(Story story) {
        Scope root = story.state().program().root();
        boolean reset = story.events().getFirst().body() instanceof ControlEvent.RunReset;
        if (reset || root.kind() != Scope.Kind.SETTLING) {
            return;
        }
        Set<NodeId> settled = new HashSet<>();
        for (Event event : story.events()) {
            switch (event.body()) {
                case EventBody.ActivationCanceled body -> settle(settled, story, body.activation());
                case EventBody.ActivationSkipped body -> settle(settled, story, body.activation());
                case EventBody.Transitioned body -> settle(settled, story, body.activation());
                default -> {}
            }
        }
        for (Node node : story.state().program().nodes()) {
            assertTrue(!node.scope().equals(root.id()) || settled.contains(node.id()), "I11 " + node.id());
        }
    }

    /** I11 in nested scopes: whatever a scope goes on or ends by itself, all its nodes have settled, in this instance. */
    private static void nestedScopesSettle(Story story) {
        Set<NodeId> settled = new HashSet<>();
        if (story.program().nodes().stream().anyMatch(Node.Fork.class::isInstance)) {
            // Instances of one scope live side by side there; RandomForkTest counts instead.
            return;
        }
        for (Event event : story.events()) {
            switch (event.body()) {
                case EventBody.ScopeOpened opened -> remove(settled, story, opened.scope());
                case EventBody.ActivationCanceled body ->
                    settled.add(body.activation().node());
                case EventBody.ActivationSkipped body ->
                    settled.add(body.activation().node());
                case EventBody.Transitioned body ->
                    settled.add(body.activation().node());
                case EventBody.ScopeClosed closed -> {
                    Scope scope = story.program().scope(closed.scope());
                    boolean wentOn =
                            closed.followed().isPresent() && closed.followed().equals(scope.continuation());
                    for (Node node : story.program().nodes()) {
                        boolean waitsFor = wentOn && node.scope().equals(scope.id());
                        assertTrue(!waitsFor || settled.contains(node.id()), "I11 nested " + node.id());
                    }
                }
                default -> {}
            }
        }
    }

    private static void remove(Set<NodeId> settled, Story story, ScopeId scope) {
        for (Node node : story.program().nodes()) {
            if (node.scope().equals(scope)) {
                settled.remove(node.id());
            }
        }
    }

    private static void settle(Set<NodeId> settled, Story story, ActivationId activation) {
        Program program = story.program().has(activation.node())
                ? story.program()
                : story.state().program();
        Scope scope = program.scope(program.node(activation.node()).scope());
        boolean first = settled.add(activation.node());
        assertTrue(first || scope.parent().isPresent(), "I11 twice " + activation);
    }
}
