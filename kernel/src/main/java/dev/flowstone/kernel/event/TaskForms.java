package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.event.EventBody.EffectObserved;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskHandedOut;
import dev.flowstone.kernel.event.EventBody.TaskReturned;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.TaskSkipped;
import dev.flowstone.kernel.event.EventBody.TaskTimedOut;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonCursor;

/** Stored forms of what happens to tasks. */
final class TaskForms {
    private TaskForms() {}

    static void write(FrameOutput out, TaskScheduled body) {
        attempt(out, body.activation(), body.attempt());
        out.name("handler").string(body.handler().value());
        body.input().ifPresent(input -> Parts.payload(out.name("input"), input));
        out.name("timeout").string(body.timeout().toString());
    }

    static TaskScheduled scheduled(JsonCursor at) {
        return new TaskScheduled(
                Parts.activation(at),
                at.intValue("attempt"),
                at.as("handler", HandlerName::new),
                at.find("input").map(Parts::payload),
                Parts.duration(at.member("timeout")));
    }

    static void write(FrameOutput out, TaskCompleted body) {
        attempt(out, body.activation(), body.attempt());
        Parts.payload(out.name("output"), body.output());
    }

    static TaskCompleted completed(JsonCursor at) {
        return new TaskCompleted(Parts.activation(at), at.intValue("attempt"), Parts.payload(at.member("output")));
    }

    static void write(FrameOutput out, TaskSkipped body) {
        attempt(out, body.activation(), body.attempt());
        out.name("reason").string(body.reason());
    }

    static TaskSkipped skipped(JsonCursor at) {
        return new TaskSkipped(Parts.activation(at), at.intValue("attempt"), at.string("reason"));
    }

    static void write(FrameOutput out, TaskFailed body) {
        attempt(out, body.activation(), body.attempt());
        Parts.error(out.name("error"), body.error());
        out.name("failure").string(body.failure().name());
        out.name("settles").bool(body.settles());
    }

    static TaskFailed failed(JsonCursor at) {
        return new TaskFailed(
                Parts.activation(at),
                at.intValue("attempt"),
                at.as("failure", FailureClass::valueOf),
                Parts.error(at.member("error")),
                at.bool("settles"));
    }

    static void write(FrameOutput out, TaskTimedOut body) {
        attempt(out, body.activation(), body.attempt());
        out.name("settles").bool(body.settles());
    }

    static TaskTimedOut timedOut(JsonCursor at) {
        return new TaskTimedOut(Parts.activation(at), at.intValue("attempt"), at.bool("settles"));
    }

    static void write(FrameOutput out, TaskReturned body) {
        attempt(out, body.activation(), body.attempt());
    }

    static TaskReturned returned(JsonCursor at) {
        return new TaskReturned(Parts.activation(at), at.intValue("attempt"));
    }

    static void write(FrameOutput out, TaskHandedOut body) {
        attempt(out, body.activation(), body.attempt());
    }

    static TaskHandedOut handedOut(JsonCursor at) {
        return new TaskHandedOut(Parts.activation(at), at.intValue("attempt"));
    }

    static void write(FrameOutput out, EffectObserved body) {
        attempt(out, body.activation(), body.attempt());
        if (body.number() > 0) {
            out.name("number").number(body.number());
        }
        Parts.payload(out.name("output"), body.output());
    }

    static EffectObserved observed(JsonCursor at) {
        return new EffectObserved(Parts.activation(at), at.intValue("attempt"), Parts.payload(at.member("output")), 0);
    }

    /** The effects of an activation are told apart since version 2. */
    static EffectObserved observedOfSeveral(JsonCursor at) {
        return new EffectObserved(
                Parts.activation(at),
                at.intValue("attempt"),
                Parts.payload(at.member("output")),
                at.intValue("number"));
    }

    private static void attempt(FrameOutput out, ActivationId activation, int attempt) {
        out.name("activation").string(activation.toString());
        out.name("attempt").number(attempt);
    }
}
