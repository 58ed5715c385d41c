package dev.flowstone.kernel.story;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** A random program, driven by random answers in random order, with duplicates, stale ones, snapshots; all by one seed. */
public final class RandomWalk {
    private static final int STEPS = 80;
    private static final JsonArray ITEMS =
            new JsonArray(List.of(JsonNumber.of(5), JsonBoolean.TRUE, JsonObject.EMPTY, JsonNumber.of(7)));

    private final Random random;
    private final Story story;
    private final List<Command> sent = new ArrayList<>();

    private final boolean controlled;

    /** Characters that an output has more, at most. */
    private final int padding;

    private RandomWalk(long seed, Function<Random, Program> programs, boolean controlled) {
        this(seed, programs, controlled, 0);
    }

    private RandomWalk(long seed, Function<Random, Program> programs, boolean controlled, int padding) {
        this.controlled = controlled;
        this.padding = padding;
        // Neighbouring seeds begin alike in Random; this parts them.
        this.random = new Random(seed * 0x9e3779b97f4a7c15L ^ seed << 32);
        Program program = programs.apply(random);
        if (controlled) {
            program = RandomOperator.undoable(program, random);
        }
        int work = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1_000;
        this.story = Story.of(program)
                .with(new Bounds(work, 20, 1 << 20, 1 << 15, 5_000_000))
                .random(seed);
    }

    /** The walked story; every step has been checked. */
    public static Story of(long seed) {
        return of(seed, RandomPrograms::next);
    }

    static Story of(long seed, Function<Random, Program> programs) {
        RandomWalk walk = new RandomWalk(seed, programs, false);
        walk.run();
        return walk.story;
    }

    /** The same, with outputs up to so many characters. */
    static Story wordy(long seed, Function<Random, Program> programs, int characters) {
        RandomWalk walk = new RandomWalk(seed, programs, false, characters);
        walk.run();
        return walk.story;
    }

    /** The same, on programs that can be undone, with somebody who controls the run at random. */
    public static Story controlled(long seed) {
        return controlled(seed, RandomPrograms::next);
    }

    static Story controlled(long seed, Function<Random, Program> programs) {
        RandomWalk walk = new RandomWalk(seed, programs, true);
        walk.run();
        return walk.story;
    }

    private void run() {
        JsonObject trigger = JsonObject.builder()
                .put("x", random.nextBoolean())
                .put("items", ITEMS)
                .build();
        story.start(Map.of("trigger", Payload.of(trigger)));
        int afterwards = 0;
        for (int step = 0; step < STEPS; step++) {
            story.later(Duration.ofMillis(random.nextInt(5_000) - 500));
            if (random.nextInt(10) == 0) {
                story.restored();
            }
            afterwards += story.status().isFinal() ? 1 : 0;
            Optional<Command> next = random.nextInt(5) == 0 ? disturbance() : progress();
            if (controlled && (next.isEmpty() || random.nextInt(7) == 0)) {
                next = Optional.of(RandomOperator.next(story, random));
            }
            if (next.isEmpty() || afterwards > 5) {
                return;
            }
            sent.add(next.get());
            if (story.decide(next.get()) instanceof Decision.Needs needs) {
                throw new AssertionError("nothing is stored elsewhere: " + needs);
            }
        }
    }

    /** Something that the run waits for; empty if that is only a person. */
    private Optional<Command> progress() {
        List<Command> possible = new ArrayList<>();
        for (Attempt attempt : story.state().openAttempts()) {
            possible.add(new Command.CompleteTask(attempt.activation(), attempt.attempt(), answer()));
            if (attempt.returned()) {
                possible.add(new Command.HandOutTask(attempt.activation(), attempt.attempt()));
            }
        }
        for (TimerState timer : story.state().timers()) {
            boolean deadline = timer.timer().value().equals("deadline");
            if (!deadline || random.nextInt(10) == 0) {
                possible.add(new Command.FireTimer(timer.timer(), timer.generation()));
            }
        }
        if (story.state().continues()) {
            possible.add(new Command.ContinueRun());
        }
        if (possible.isEmpty()) {
            return story.status().isFinal() ? disturbance() : Optional.empty();
        }
        return Optional.of(possible.get(random.nextInt(possible.size())));
    }

    /** A repetition, or something for nobody. */
    private Optional<Command> disturbance() {
        if (!sent.isEmpty() && random.nextBoolean()) {
            return Optional.of(sent.get(random.nextInt(sent.size())));
        }
        List<Node> nodes = story.program().nodes();
        Node node = nodes.get(random.nextInt(nodes.size()));
        ActivationId id = new ActivationId(node.id(), 1 + random.nextInt(3));
        return Optional.of(
                switch (random.nextInt(5)) {
                    case 3 -> new Command.HandOutTask(id, random.nextInt(4));
                    case 0 -> new Command.FireTimer(new TimerId(id + "/retry"), random.nextInt(4));
                    case 1 -> new Command.ContinueRun();
                    case 2 -> story.startCommand(Map.of());
                    default -> new Command.CompleteTask(id, random.nextInt(4), answer());
                });
    }

    private TaskAnswer answer() {
        return switch (random.nextInt(20)) {
            case 0 -> Story.failed(FailureClass.RETRYABLE);
            case 1 -> Story.failed(FailureClass.PERMANENT);
            case 2 -> Story.failed(FailureClass.POLICY_DENIED);
            case 3 ->
                new TaskAnswer.Failed(
                        FailureClass.EXTERNAL_LIMIT,
                        TaskError.of("QUOTA", "wait"),
                        Optional.of(Duration.ofSeconds(random.nextInt(30))));
            case 4 -> new TaskAnswer.TimedOut();
            case 5 -> new TaskAnswer.Lost();
            case 6 -> new TaskAnswer.Returned();
            case 7 -> new TaskAnswer.Skipped("nothing to do");
            default -> new TaskAnswer.Ok(Payload.of(output()));
        };
    }

    private JsonValue output() {
        if (padding > 0) {
            return new JsonString("x".repeat(random.nextInt(padding)));
        }
        return switch (random.nextInt(3)) {
            case 0 -> JsonNumber.of(1);
            case 1 -> JsonBoolean.TRUE;
            default -> JsonObject.builder().put("n", random.nextInt(100)).build();
        };
    }
}
