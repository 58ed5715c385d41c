package dev.flowstone.testkit.scenario.step;

import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.read.DeclaredHold;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What operators do: suspend, resume, drain, cancel, terminate, rollback, incident, forceFire, migrate. */
final class ControlSteps {
    private static final Duration PATIENCE = Duration.ofHours(1);
    private static final String SCOPE = "run";

    private ControlSteps() {}

    static Optional<Step> suspend(Cursor value) {
        Members at = Ask.members(value, "reason", "timers", "input", "scope");
        Function<Observed, HoldPolicy> policy = policy(at);
        String reason = PeopleSteps.reason(at);
        return HoldScope.of(at, (scope, run, by) -> SettingRequest.suspend(scope, policy.apply(run), reason, by))
                .or(() -> of(value, at, run -> new ControlCommand.SuspendRun(policy.apply(run), reason, SCOPE)));
    }

    static Optional<Step> resume(Cursor value) {
        Members at = Ask.members(value, "reason", "scope");
        String reason = PeopleSteps.reason(at);
        return HoldScope.of(at, (scope, _, by) -> SettingRequest.resume(scope, reason, by))
                .or(() -> of(value, at, _ -> new ControlCommand.ResumeRun(reason)));
    }

    static Optional<Step> drain(Cursor value) {
        Members at = Ask.members(value, "reason", "timers", "input", "atMost", "scope");
        Function<Observed, HoldPolicy> policy = policy(at);
        Duration atMost = at.find("atMost").flatMap(Cursor::duration).orElse(PATIENCE);
        String reason = PeopleSteps.reason(at);
        return HoldScope.of(at, (scope, run, by) -> SettingRequest.drain(scope, policy.apply(run), atMost, reason, by))
                .or(() -> of(value, at, run -> new ControlCommand.DrainRun(policy.apply(run), atMost, reason, SCOPE)));
    }

    static Optional<Step> cancel(Cursor value) {
        Members at = Ask.members(value, "reason", "undo");
        ControlCommand.Undo undo =
                at.find("undo").flatMap(Cursor::flag).orElse(true) ? ControlCommand.Undo.RUN : ControlCommand.Undo.SKIP;
        String reason = PeopleSteps.reason(at);
        return of(value, at, _ -> new ControlCommand.CancelRun(reason, undo, Optional.empty()));
    }

    static Optional<Step> terminate(Cursor value) {
        Members at = Ask.members(value, "reason");
        String reason = PeopleSteps.reason(at);
        return of(value, at, _ -> new ControlCommand.TerminateRun(reason));
    }

    static Optional<Step> rollback(Cursor value) {
        Members at = Ask.members(value, "to", "reason");
        String reason = PeopleSteps.reason(at);
        return at.need("to")
                .flatMap(Cursor::text)
                .flatMap(mark -> of(value, at, _ -> new ControlCommand.RollBack(new NodeId(mark), reason)));
    }

    /** Of the oldest incident, or the oldest at {@code node}: {@code do} is retry, skip or fail. */
    static Optional<Step> incident(Cursor value) {
        Members at = Ask.members(value, "node", "do", "input", "output", "code", "message");
        Optional<String> node = at.find("node").flatMap(Cursor::text);
        Optional<Payload> input = at.find("input").map(it -> Payload.of(it.value()));
        Payload output = Payload.of(at.find("output").map(Cursor::value).orElse(JsonObject.EMPTY));
        TaskError error = TaskError.of(
                at.find("code").flatMap(Cursor::text).orElse("GIVEN_UP"),
                at.find("message").flatMap(Cursor::text).orElse("an operator gave it up"));
        return at.need("do")
                .flatMap(it -> it.word(List.of("retry", "skip", "fail")))
                .flatMap(how -> of(value, at, run -> {
                    long sequence = open(run, node);
                    return switch (how) {
                        case "retry" -> new ControlCommand.RetryIncident(sequence, input);
                        case "skip" -> new ControlCommand.SkipIncident(sequence, output);
                        default -> new ControlCommand.FailIncident(sequence, error);
                    };
                }));
    }

    private static long open(Observed run, Optional<String> node) throws StepException {
        return run.state().map(RunState::incidents).orElse(List.of()).stream()
                .filter(it -> node.isEmpty()
                        || (it.activation() != null
                                && it.activation().node().value().equals(node.get())))
                .map(Incident::sequence)
                .findFirst()
                .orElseThrow(() -> new StepException("there is no such incident"));
    }

    /** The next timer of a node, or one by its id. */
    static Optional<Step> forceFire(Cursor value) {
        Members at = Ask.members(value, "timer");
        return at.need("timer")
                .flatMap(Cursor::text)
                .flatMap(name -> of(value, at, run -> {
                    Optional<TimerId> ofNode = run.timers().stream()
                            .filter(it ->
                                    it.activation().map(of -> of.node().value()).equals(Optional.of(name)))
                            .map(TimerState::timer)
                            .findFirst();
                    return new ControlCommand.ForceFireTimer(ofNode.orElseGet(() -> new TimerId(name)));
                }));
    }

    /** To another version of the run's workflow, one of {@code given.versions}; {@code nodes} gives new names by old ones. */
    static Optional<Step> migrate(Cursor value) {
        Members at = Ask.members(value, "version", "nodes");
        Map<NodeId, NodeId> nodes = new LinkedHashMap<>();
        at.find("nodes")
                .ifPresent(map -> map.anyMembers()
                        .all()
                        .forEach((old, now) ->
                                now.text().ifPresent(name -> nodes.put(new NodeId(old), new NodeId(name)))));
        return at.need("version")
                .flatMap(Cursor::count)
                .flatMap(version -> of(value, at, run -> {
                    Sha256 program = run.surroundings()
                            .version(run.program().workflow(), version)
                            .orElseThrow(() -> new StepException("there is no version " + version + " of '"
                                    + run.program().workflow() + "'"));
                    return new ControlCommand.MigrateRun(program, version, nodes);
                }));
    }

    /** What isn't said is what the run's program declares. */
    private static Function<Observed, HoldPolicy> policy(Members at) {
        Optional<HoldPolicy.TimerRule> timers = at.find("timers")
                .flatMap(it -> it.word(List.of("freeze", "catch_up")))
                .map(it -> it.equals("freeze") ? HoldPolicy.TimerRule.FREEZE : HoldPolicy.TimerRule.CATCH_UP);
        Optional<HoldPolicy.InputRule> input = at.find("input")
                .flatMap(it -> it.word(List.of("buffer", "reject")))
                .map(it -> it.equals("buffer") ? HoldPolicy.InputRule.BUFFER : HoldPolicy.InputRule.REJECT);
        return run -> {
            HoldPolicy declared = DeclaredHold.of(run.program());
            return new HoldPolicy(timers.orElse(declared.timers()), input.orElse(declared.input()));
        };
    }

    private static Optional<Step> of(Cursor value, Members at, Ask.Function command) {
        return Optional.of(Ask.of(value, at, Ask.ofRun(command)));
    }
}
