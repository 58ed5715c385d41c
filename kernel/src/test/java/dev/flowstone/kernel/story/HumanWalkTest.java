package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.PASS;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** People do anything in any order; every step is checked, and in the end every run can be brought to its end. */
final class HumanWalkTest {
    private static final List<String> PEOPLE = List.of("ann", "bob", "cem", "dan", "eve");
    private static final List<Outcome> OUTCOMES = List.of(APPROVED, APPROVED, APPROVED, REJECTED, PASS);

    @Test
    void anyOrderKeepsTheInvariants() {
        Set<String> missing = new TreeSet<>();
        for (Class<?> kind : HumanEvent.class.getPermittedSubclasses()) {
            missing.add(kind.getSimpleName());
        }
        // Nothing asks for attestations here.
        missing.removeAll(Set.of("AttestationRequested", "AttestationGiven"));
        missing.addAll(List.of("VariablesSet", "SubjectChanged"));
        for (long seed = 1; seed <= 150; seed++) {
            for (Event event : walk(seed).events()) {
                missing.remove(event.body().kind());
            }
        }
        assertEquals(Set.of(), missing, "the walks must have been everywhere");
    }

    private static Story walk(long seed) {
        try {
            return walk(new Random(seed * 0x9e3779b97f4a7c15L));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private static Story walk(Random random) {
        Story story = Story.of(program(random))
                .with(new Bounds(
                        random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1_000, 50, 1 << 20, 1 << 15, 5_000_000))
                .start();
        for (int step = 0; step < 60; step++) {
            story.later(Duration.ofSeconds(random.nextInt(1_000))).by(any(random, PEOPLE));
            if (random.nextInt(12) == 0) {
                story.restored();
            }
            story.decide(next(random, story));
            nobodyWaitsForNobody(story);
        }
        finish(story);
        assertTrue(story.status().isFinal(), story::tale);
        return story;
    }

    /** A quorum of people by name is over when all of them have decided. */
    private static void nobodyWaitsForNobody(Story story) {
        for (OpenHumanTask open : story.state().humanTasks()) {
            HumanTaskState task = open.task();
            boolean roles = task.assignees().stream()
                    .anyMatch(assignee -> assignee.party().kind() == Party.Kind.ROLE);
            assertTrue(roles || !task.undecided().isEmpty(), () -> task + "\n" + story.tale());
        }
    }

    private static void finish(Story story) {
        for (int i = 0; i < 200 && !story.status().isFinal(); i++) {
            story.goOn();
            if (!story.open().isEmpty()) {
                story.ok(story.open().getFirst());
            } else if (!story.state().humanTasks().isEmpty()) {
                ActivationId id = story.state().humanTasks().getFirst().task().activation();
                story.accepted(new HumanCommand.Resolve(id, APPROVED, "enough"));
            }
        }
    }

    private static Programs program(Random random) {
        return Programs.flow()
                .node(ask("first", random))
                .node(Asks.assign("note", Map.of("n", JsonNumber.of(1))))
                .node(Asks.gate("gate", "first"))
                .task("mend")
                .end("end")
                .settlingScope("slot", "in", "out", "gate")
                .task("in")
                .node(ask("left", random))
                .node(ask("right", random))
                .task("out")
                .edge("in", "left")
                .edge("in", "right")
                .on(APPROVED, "left", "out")
                .on(APPROVED, "right", "out")
                .on(REJECTED, "left", "mend")
                .on(PASS, "left", "mend")
                .on(Outcome.FAILURE, "right", "mend")
                .edge("out", "gate")
                .edge("start", "first")
                .on(APPROVED, "first", "note")
                .on(REJECTED, "first", "mend")
                .on(PASS, "first", "first")
                .on(Outcome.FAILURE, "first", "mend")
                .edge("note", "in")
                .edge("mend", "first")
                .on(Outcome.FAILURE, "gate", "mend")
                .edge("gate", "end");
    }

    private static Asks ask(String id, Random random) {
        List<Quorum> quorums = List.of(
                new Quorum.One(),
                new Quorum.Count(1 + random.nextInt(3)),
                new Quorum.Majority(),
                new Quorum.All(),
                new Quorum.Serial());
        Asks asks = Asks.of(
                        id,
                        random.nextBoolean() ? new String[] {"ann", "bob", "cem"} : new String[] {"ann", "role:cfo"})
                .quorum(any(random, quorums))
                .drift(random.nextInt(4) == 0 ? Drift.FAIL : Drift.GO_ON)
                .remind("soon", "PT10M", new Reminder.Action.Remind())
                .remind(
                        "boss",
                        "PT20M",
                        new Reminder.Action.Escalate(
                                new JsonArray(List.of(new JsonString("dan"), new JsonString("ann"))),
                                random.nextBoolean()));
        if (random.nextInt(3) == 0) {
            asks.unmet(REJECTED);
        }
        if (random.nextInt(3) == 0) {
            asks.vetoes(REJECTED);
        }
        return asks;
    }

    private static Command next(Random random, Story story) {
        List<TimerState> timers = story.state().timers();
        if (story.state().continues() && random.nextInt(3) > 0) {
            return new Command.ContinueRun();
        }
        if (!timers.isEmpty() && random.nextInt(6) == 0) {
            TimerState timer = any(random, timers);
            return new Command.FireTimer(timer.timer(), timer.generation());
        }
        if (!story.open().isEmpty() && random.nextInt(3) == 0) {
            return new Command.CompleteTask(
                    story.state().openAttempts().getFirst().activation(),
                    1,
                    new TaskAnswer.Ok(Payload.of(JsonNumber.of(1))));
        }
        List<OpenHumanTask> open = story.state().humanTasks();
        ActivationId id = open.isEmpty() || random.nextInt(10) == 0
                ? new ActivationId(new NodeId(any(random, List.of("first", "left", "right"))), 1 + random.nextInt(3))
                : any(random, open).task().activation();
        return human(random, story, id);
    }

    private static Command human(Random random, Story story, ActivationId id) {
        Set<String> roles = random.nextBoolean() ? Set.of("cfo") : Set.of();
        boolean override = random.nextInt(8) == 0;
        Duration lease = Duration.ofMinutes(1 + random.nextInt(30));
        Party from = random.nextInt(4) == 0 ? Party.role("cfo") : Party.user(any(random, PEOPLE));
        Party to = Party.user(any(random, PEOPLE));
        long known = story.state().subjectVersion().orElse(0L);
        return switch (random.nextInt(16)) {
            case 0 -> new HumanCommand.Claim(id, roles, lease, override);
            case 1 -> new HumanCommand.Heartbeat(id, lease);
            case 2 -> new HumanCommand.Release(id, override);
            case 3 -> new HumanCommand.Reassign(id, Optional.of(from), List.of(to), "x");
            case 4 -> new HumanCommand.Reassign(id, Optional.empty(), List.of(to), "x");
            case 5 -> new HumanCommand.Delegate(id, from, to, roles, override, "x");
            case 6 ->
                random.nextInt(4) == 0
                        ? new HumanCommand.Resolve(id, any(random, OUTCOMES), "x")
                        : new DataCommand.SetVariables(Map.of("v", JsonNumber.of(random.nextInt(9))), "x");
            case 7 -> new DataCommand.SubjectChanged(known + random.nextInt(2), random.nextBoolean());
            default ->
                new HumanCommand.Decide(
                        id,
                        any(random, OUTCOMES),
                        roles,
                        random.nextInt(5) == 0 ? Optional.of(any(random, PEOPLE)) : Optional.empty(),
                        Optional.empty(),
                        random.nextInt(10) == 0
                                ? Optional.of(known + 1)
                                : story.state().subjectVersion(),
                        override);
        };
    }

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
