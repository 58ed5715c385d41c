package dev.flowstone.kernel.story;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Attestation;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Somebody who does at random what operators may do; also the programs that this is worth doing to. */
final class RandomOperator {
    private RandomOperator() {}

    /** The same program, in which some tasks can be undone and scopes differ in what a failure does. */
    static Program undoable(Program program, Random random) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : program.nodes()) {
            nodes.add(node instanceof Node.Task task ? undoable(task, random) : node);
        }
        List<Scope> scopes = new ArrayList<>();
        for (Scope scope : program.scopes()) {
            Scope.FailurePolicy policy = List.of(
                            Scope.FailurePolicy.FAIL, Scope.FailurePolicy.COMPENSATE, Scope.FailurePolicy.PARK)
                    .get(random.nextInt(3));
            scopes.add(new Scope(
                    scope.id(),
                    scope.parent(),
                    scope.kind(),
                    policy,
                    scope.entry(),
                    scope.out(),
                    scope.continuation(),
                    scope.fork()));
        }
        return new Program(
                program.dialect(),
                program.compiler(),
                program.workflow(),
                scopes,
                nodes,
                program.edges(),
                program.output(),
                program.deadline(),
                program.metadata());
    }

    private static Node undoable(Node.Task task, Random random) {
        Retry retry = new Retry(
                1 + random.nextInt(3), Duration.ofSeconds(random.nextInt(2)), 1, Duration.ofMinutes(1), false);
        Optional<Compensation> compensation = switch (random.nextInt(6)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new Compensation.Attested("look after it"));
            default ->
                Optional.of(new Compensation.ByHandler(
                        new HandlerName("core.undo"), JsonObject.EMPTY, retry, Duration.ofSeconds(5)));
        };
        return new Node.Task(
                task.id(),
                task.scope(),
                task.handler(),
                task.input(),
                task.retry(),
                task.timeout(),
                task.rerender(),
                compensation,
                task.applies(),
                task.routing(),
                task.mayEnd(),
                task.origin());
    }

    static Command next(Story story, Random random) {
        List<Incident> incidents = story.state().incidents();
        List<Attestation> attestations = story.state().attestations();
        if (!attestations.isEmpty() && random.nextBoolean()) {
            return new HumanCommand.Attest(attestations.getFirst().id(), "done by hand");
        }
        if (!incidents.isEmpty() && random.nextInt(3) > 0) {
            return incident(incidents.getFirst().sequence(), random);
        }
        if (story.state().hold() != Hold.NONE && random.nextInt(3) == 0) {
            return new ControlCommand.ResumeRun("go on");
        }
        List<Node> nodes = story.program().nodes();
        NodeId node = nodes.get(random.nextInt(nodes.size())).id();
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> new ControlCommand.SuspendRun(policy(random), "stop", "run");
            case 4, 5 -> new ControlCommand.DrainRun(policy(random), Duration.ofMinutes(1), "drain", "run");
            case 6, 7 -> new ControlCommand.ResumeRun("go on");
            case 8 -> new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty());
            case 9 -> new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty());
            case 10 -> new ControlCommand.TerminateRun("now");
            case 11, 12 -> new ControlCommand.RollBack(node, "again");
            case 13 -> incident(random.nextInt(20), random);
            case 15 -> new ControlCommand.FailRun("no way on");
            case 16, 17, 18, 19 -> heed(story, random);
            default ->
                new ControlCommand.ForceFireTimer(
                        story.state().timers().isEmpty()
                                ? new TimerId("t")
                                : story.state().timers().getFirst().timer());
        };
    }

    /** One setting or several of them at once, of now or of some time ago. */
    private static Command heed(Story story, Random random) {
        List<Setting> settings = new ArrayList<>();
        long number = story.state().heeded();
        Instant at = story.stamp().time().minusSeconds(random.nextInt(60));
        do {
            number += random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2);
            at = at.plusSeconds(random.nextInt(20));
            if (number > 0 && (settings.isEmpty() || settings.getLast().number() < number)) {
                settings.add(new Setting(
                        number,
                        at,
                        List.of(Setting.Mode.values()).get(random.nextInt(3)),
                        policy(random),
                        Duration.ofSeconds(random.nextInt(30)),
                        "audit",
                        "tenant/acme"));
            }
        } while (random.nextBoolean());
        return new ControlCommand.Heed(settings);
    }

    private static Command incident(long sequence, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new ControlCommand.RetryIncident(sequence, Optional.of(Payload.of(JsonObject.EMPTY)));
            case 1 -> new ControlCommand.RetryIncident(sequence, Optional.empty());
            case 2 -> new ControlCommand.SkipIncident(sequence, Payload.of(JsonObject.EMPTY));
            default -> new ControlCommand.FailIncident(sequence, TaskError.of("GIVEN_UP", "by an operator"));
        };
    }

    private static HoldPolicy policy(Random random) {
        return new HoldPolicy(
                random.nextBoolean() ? HoldPolicy.TimerRule.FREEZE : HoldPolicy.TimerRule.CATCH_UP,
                random.nextBoolean() ? HoldPolicy.InputRule.BUFFER : HoldPolicy.InputRule.REJECT);
    }
}
