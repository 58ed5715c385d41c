package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.MessageCodec;
import dev.flowstone.kernel.payload.PayloadCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Canonical forms of the commands that a suspended run may buffer, and of the stamps that they came with (R25). They stand
 * in events: a released form keeps its meaning for ever.
 */
final class CommandCodec {
    private CommandCodec() {}

    /**
     * Writes a command that can be buffered.
     *
     * @throws IllegalArgumentException if it is one of those that never are
     */
    static JsonObject write(Command command) {
        JsonObject.Builder out =
                JsonObject.builder().put("type", command.getClass().getSimpleName());
        switch (command) {
            case Command.CompleteTask it ->
                out.put("activation", it.activation().toString())
                        .put("attempt", it.attempt())
                        .put("answer", answer(it.answer()))
                        .putValueIfPresent("subjectVersion", it.subjectVersion().map(JsonNumber::of));
            case Command.HandOutTask it ->
                out.put("activation", it.activation().toString()).put("attempt", it.attempt());
            case Command.LinkResources it ->
                out.put("activation", it.activation().toString())
                        .put("attempt", it.attempt())
                        .put("links", links(it.links()));
            case Command.FireTimer it -> out.put("timer", it.timer().value()).put("generation", it.generation());
            case Command.Deliver it ->
                out.put("tenant", it.tenant().value())
                        .put("receiver", it.receiver().toString())
                        .put("sender", it.sender().toString())
                        .put("number", it.number())
                        .put("message", MessageCodec.write(it.message()));
            case HumanCommand it -> PeopleCodec.write(out, it);
            case DataCommand it -> PeopleCodec.write(out, it);
            case Command.StartRun _, Command.ContinueRun _, Command.SendSignal _, ControlCommand _ ->
                throw new IllegalArgumentException(command.getClass().getSimpleName() + " is never buffered");
        }
        return out.build();
    }

    /** Reads what {@link #write} wrote. */
    static Command read(JsonCursor at) {
        String type = at.string("type");
        return switch (type) {
            case "CompleteTask" ->
                new Command.CompleteTask(
                        at.as("activation", ActivationId::parse),
                        at.intValue("attempt"),
                        answer(at.member("answer")),
                        at.find("subjectVersion").map(JsonCursor::longValue));
            case "HandOutTask" ->
                new Command.HandOutTask(at.as("activation", ActivationId::parse), at.intValue("attempt"));
            case "LinkResources" ->
                new Command.LinkResources(
                        at.as("activation", ActivationId::parse),
                        at.intValue("attempt"),
                        at.list("links", CommandCodec::link));
            case "FireTimer" -> new Command.FireTimer(at.as("timer", TimerId::new), at.intValue("generation"));
            case "Deliver" ->
                new Command.Deliver(
                        at.as("tenant", TenantId::new),
                        at.as("receiver", RunId::parse),
                        at.as("sender", RunId::parse),
                        at.longValue("number"),
                        MessageCodec.read(at.member("message").object()));
            default ->
                PeopleCodec.read(type, at).orElseThrow(() -> at.fault("no command " + type + " is ever buffered"));
        };
    }

    /** Who sent a command, when, and all else that its decision records. */
    static JsonObject write(Stamp stamp) {
        JsonObject.Builder out = JsonObject.builder()
                .put("time", Times.write(Times.storable(stamp.time())))
                .put("random", Long.toString(stamp.random()))
                .put("actor", stamp.actor().toString())
                .putIfPresent("authorization", stamp.authorization())
                .putIfPresent("idempotencyKey", stamp.idempotencyKey())
                .putIfPresent("causation", stamp.causation())
                .put("correlation", stamp.correlation());
        stamp.effective().ifPresent(time -> out.put("effective", Times.write(Times.storable(time))));
        return out.build();
    }

    /** Reads what {@link #write(Stamp)} wrote. */
    static Stamp stamp(JsonCursor at) {
        return new Stamp(
                at.as("time", Times::read),
                at.find("effective").map(time -> time.as(Times::read)),
                at.as("random", Long::parseLong),
                at.as("actor", Actor::parse),
                at.find("authorization").map(JsonCursor::string),
                at.find("idempotencyKey").map(JsonCursor::string),
                at.find("causation").map(JsonCursor::string),
                at.string("correlation"));
    }

    private static JsonObject answer(TaskAnswer answer) {
        JsonObject.Builder out =
                JsonObject.builder().put("type", answer.getClass().getSimpleName());
        switch (answer) {
            case TaskAnswer.Ok ok -> {
                out.put("output", PayloadCodec.write(ok.output()));
                if (!ok.links().isEmpty()) {
                    out.put("links", links(ok.links()));
                }
            }
            case TaskAnswer.Skipped skipped -> out.put("reason", skipped.reason());
            case TaskAnswer.Failed failed -> {
                out.put("failure", failed.failure().name())
                        .put("code", failed.error().code())
                        .put("message", failed.error().message())
                        .put("details", failed.error().details());
                failed.retryAfter().ifPresent(pause -> out.put("retryAfter", pause.toString()));
            }
            case TaskAnswer.TimedOut _, TaskAnswer.Lost _, TaskAnswer.Returned _ -> {}
        }
        return out.build();
    }

    private static JsonArray links(List<ResourceLink> links) {
        List<JsonValue> out = new ArrayList<>(links.size());
        for (ResourceLink link : links) {
            out.add(JsonObject.builder()
                    .put("type", link.type())
                    .put("key", link.key())
                    .put("content", PayloadCodec.write(link.content()))
                    .build());
        }
        return new JsonArray(out);
    }

    private static ResourceLink link(JsonCursor at) {
        return new ResourceLink(at.string("type"), at.string("key"), PayloadCodec.read(at.member("content")));
    }

    private static TaskAnswer answer(JsonCursor at) {
        String type = at.string("type");
        return switch (type) {
            case "Ok" ->
                new TaskAnswer.Ok(
                        PayloadCodec.read(at.member("output")),
                        at.find("links").isPresent() ? at.list("links", CommandCodec::link) : List.of());
            case "Skipped" -> new TaskAnswer.Skipped(at.string("reason"));
            case "Failed" ->
                new TaskAnswer.Failed(
                        at.as("failure", FailureClass::valueOf),
                        new TaskError(
                                at.string("code"),
                                at.string("message"),
                                at.member("details").object()),
                        at.find("retryAfter").map(pause -> pause.as(Duration::parse)));
            case "TimedOut" -> new TaskAnswer.TimedOut();
            case "Lost" -> new TaskAnswer.Lost();
            case "Returned" -> new TaskAnswer.Returned();
            default -> throw at.fault("no answer " + type + " is known to this release");
        };
    }
}
