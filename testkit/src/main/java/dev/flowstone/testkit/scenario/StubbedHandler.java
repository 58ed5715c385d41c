package dev.flowstone.testkit.scenario;

import dev.flowstone.connectors.core.CoreConnector;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionalHandler;
import dev.flowstone.testkit.scenario.check.Observed.Call;
import dev.flowstone.testkit.scenario.file.Given;
import dev.flowstone.testkit.scenario.file.Stub;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every action of a scenario: answers as its stub says, by attempt. A built-in action without a stub does what it always
 * does, for it touches nothing; any other is never called for real, and that it was called is a fault of the scenario.
 */
final class StubbedHandler implements TaskHandler {
    private final Given given;
    private final VirtualClock clock;
    private final List<Call> calls = new ArrayList<>();
    private final List<String> unstubbed = new ArrayList<>();

    StubbedHandler(Given given, VirtualClock clock) {
        this.given = given;
        this.clock = clock;
    }

    /** In order. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Calls that nothing stands ready to answer. */
    List<String> unstubbed() {
        return List.copyOf(unstubbed);
    }

    @Override
    public TaskResult handle(TaskCall call) throws Exception {
        Optional<Stub.Answer> answer = called(call);
        if (answer.isPresent()) {
            return answer(answer.get());
        }
        Optional<TaskHandler> builtIn = CoreConnector.registry().handler(call.handler());
        if (builtIn.isPresent()) {
            return builtIn.get().handle(call);
        }
        return notStubbed(call);
    }

    private Optional<Stub.Answer> called(TaskCall call) {
        String action = call.handler().value();
        String node = call.activation().node().value();
        calls.add(new Call(action, node, call.attempt(), call.input()));
        return given.stub(action, node).map(it -> it.answer(call.attempt()));
    }

    private TaskResult notStubbed(TaskCall call) {
        unstubbed.add(
                call.activation().node() + " calls " + call.handler() + ", which has no stub under given.handlers");
        return TaskResult.permanent("NOT_STUBBED", "the scenario has no stub for " + call.handler());
    }

    /** The same for actions that work on what the run is about, in its transaction. */
    TransactionalHandler on(StubbedSubject subject) {
        return (call, transaction) -> {
            Optional<Stub.Answer> answer = called(call);
            return answer.isPresent() ? change(answer.get(), subject, transaction) : notStubbed(call);
        };
    }

    private static TaskResult change(Stub.Answer answer, StubbedSubject subject, SubjectTransaction transaction) {
        Stub.Work work = answer.work();
        if (work.rule().isPresent() && !subject.has(work.rule().get().fields())) {
            return work.rule().get().otherwise();
        }
        if (work.keepsVersion()) {
            transaction.keepVersion();
        }
        subject.stage(work.sets());
        return switch (answer.reply()) {
            case Stub.Reply.Result(TaskResult result) -> result;
            case Stub.Reply.Throw(String message) -> throw new IllegalStateException(message);
            case Stub.Reply.Hold _, Stub.Reply.Stale _ ->
                TaskResult.permanent("NOT_STUBBED", "it was not to get as far as this");
        };
    }

    private TaskResult answer(Stub.Answer answer) throws Exception {
        if (!answer.after().isZero()) {
            HandlerThreads.sleepUntil(clock.now().plus(answer.after()));
        }
        return switch (answer.reply()) {
            case Stub.Reply.Result(TaskResult result) -> result;
            case Stub.Reply.Hold _ -> {
                HandlerThreads.sleepUntil(Instant.MAX);
                yield new TaskResult.Skipped("nobody answered before the end of time");
            }
            case Stub.Reply.Throw(String message) -> throw new IllegalStateException(message);
            case Stub.Reply.Stale _ -> throw new IllegalStateException("only a transaction has a version");
        };
    }
}
