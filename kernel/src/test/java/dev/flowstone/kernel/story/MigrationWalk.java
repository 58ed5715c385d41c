package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.TimerState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A run of a random program that moves at random, and is undone in the end: no two activations are ever called alike while
 * they live, or when they are undone. An activation's key is its own for good, so that it tells who had a name.
 */
final class MigrationWalk {
    private static final int STEPS = 30;
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

    private final Random random;
    private final Story story;
    private final Map<ActivationId, String> owners = new HashMap<>();
    private int renamed;

    MigrationWalk(long seed) {
        this.random = new Random(seed * 0x9e3779b97f4a7c15L);
        this.story = Story.of(ring()).random(seed);
    }

    /** Every step is checked, the run's end too. */
    void run() {
        story.start();
        for (int step = 0; step < STEPS && !story.status().isFinal(); step++) {
            if (random.nextInt(10) == 0) {
                story.restored();
            }
            RunState before = story.state();
            Command next = random.nextInt(3) == 0 ? move() : progress();
            if (story.decide(next) instanceof Decision.Accepted accepted) {
                watch(before, accepted.events().size());
            }
        }
        story.decide(CompensationStoryTest.CANCEL);
        for (int left = 300; left > 0 && !story.status().isFinal(); left--) {
            Attempt attempt = story.state().openAttempts().getFirst();
            RunState before = story.state();
            int known = story.events().size();
            story.ok(attempt.activation().toString(), 1);
            watch(before, story.events().size() - known);
        }
        assertTrue(story.status().isFinal(), "it never ends");
        List<ActivationId> undone = story.all(CompensationEvent.CompensationScheduled.class).stream()
                .map(CompensationEvent.CompensationScheduled::activation)
                .toList();
        assertEquals(undone.size(), undone.stream().distinct().count(), "what undoes two visits is called alike");
    }

    /** Moves that gave another name to what lived. */
    int renamed() {
        return renamed;
    }

    Story story() {
        return story;
    }

    /** Also between the events of one decision. */
    private void watch(RunState before, int events) {
        List<Event> all = story.events();
        RunState at = before;
        for (Event event : all.subList(all.size() - events, all.size())) {
            RunState was = at;
            at = at.apply(event);
            switch (event.body()) {
                case EventBody.ActivationOpened _ -> owned(living(at));
                case ControlEvent.Migrated _ -> {
                    Map<ActivationId, String> now = living(at);
                    owned(now);
                    renamed += living(was).keySet().equals(now.keySet()) ? 0 : 1;
                }
                default -> {}
            }
        }
    }

    private void owned(Map<ActivationId, String> living) {
        living.forEach(
                (name, key) -> assertEquals(key, owners.computeIfAbsent(name, _ -> key), name + " was another's name"));
    }

    private static Map<ActivationId, String> living(RunState state) {
        Map<ActivationId, String> living = new HashMap<>();
        for (JsonValue node : array(state.toJson(), "nodes")) {
            for (JsonValue one : array((JsonObject) node, "activations")) {
                JsonObject activation = (JsonObject) one;
                if (List.of("READY", "ACTIVE").contains(text(activation, "status"))) {
                    living.put(
                            ActivationId.parse(text((JsonObject) node, "node") + "#" + activation.get("visit")),
                            text(activation, "key"));
                }
            }
        }
        return living;
    }

    private static List<JsonValue> array(JsonObject object, String name) {
        return object.get(name) instanceof JsonArray array ? array.items() : List.of();
    }

    private static String text(JsonObject object, String name) {
        return object.get(name) instanceof JsonString string ? string.value() : "";
    }

    /** Timers and tasks, some of which can be undone, around in a ring. */
    private Program ring() {
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        List<String> used = names.subList(0, 2 + random.nextInt(3));
        Programs flow = Programs.flow().onFailure(Scope.FailurePolicy.PARK).edge("start", used.getFirst());
        for (int i = 0; i < used.size(); i++) {
            String name = used.get(i);
            switch (random.nextInt(3)) {
                case 0 -> flow.timer(name, "PT1H");
                case 1 -> flow.strictTask(name);
                default -> flow.undoable(name);
            }
            flow.edge(name, used.get((i + 1) % used.size()));
        }
        return flow.build();
    }

    /** Most nodes get the name of one of their kind. */
    private Command move() {
        Program to = ring();
        List<Node> free = new ArrayList<>(to.nodes());
        Collections.shuffle(free, random);
        Map<NodeId, NodeId> names = new HashMap<>();
        for (Node node : story.state().program().nodes()) {
            Optional<Node> match = free.stream()
                    .filter(other -> !(other instanceof Node.Start) && other.getClass() == node.getClass())
                    .findFirst();
            if (match.isPresent() && random.nextInt(4) > 0) {
                free.remove(match.get());
                names.put(node.id(), match.get().id());
            }
        }
        return new ControlCommand.MigrateRun(story.knowing(to), 4, names);
    }

    private Command progress() {
        List<Command> possible = new ArrayList<>();
        for (Attempt attempt : story.state().openAttempts()) {
            possible.add(new Command.CompleteTask(
                    attempt.activation(),
                    attempt.attempt(),
                    random.nextInt(3) == 0
                            ? Story.failed(FailureClass.PERMANENT)
                            : new TaskAnswer.Ok(Payload.of(JsonObject.EMPTY))));
        }
        for (TimerState timer : story.state().timers()) {
            possible.add(new Command.FireTimer(timer.timer(), timer.generation()));
        }
        for (Incident incident : story.state().incidents()) {
            possible.add(new ControlCommand.RetryIncident(incident.sequence(), Optional.empty()));
        }
        return possible.isEmpty() ? new Command.ContinueRun() : possible.get(random.nextInt(possible.size()));
    }
}
