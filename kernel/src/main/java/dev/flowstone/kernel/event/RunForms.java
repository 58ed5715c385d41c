package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.RunFailing;
import dev.flowstone.kernel.event.EventBody.RunStarted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.payload.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Stored forms of what happens to a whole run. */
final class RunForms {
    private RunForms() {}

    static void write(FrameOutput out, RunStarted body) {
        out.name("input").open();
        for (Map.Entry<String, Payload> root : new TreeMap<>(body.input()).entrySet()) {
            Parts.payload(out.name(root.getKey()), root.getValue());
        }
        out.close();
        write(out, body.requested());
        out.name("program").hash(body.program());
        body.requestId().ifPresent(id -> out.name("requestId").string(id));
        body.subject().ifPresent(subject -> write(out, subject));
    }

    private static void write(FrameOutput out, SubjectBinding binding) {
        out.name("subject").open();
        out.name("exclusive").bool(binding.exclusive());
        out.name("id").string(binding.subject().id());
        out.name("kind").string(binding.subject().kind());
        out.name("version").number(binding.version());
        out.close();
    }

    private static void write(FrameOutput out, Requested requested) {
        if (requested.displayName().isPresent() || requested.email().isPresent()) {
            out.name("principal").open();
            requested.displayName().ifPresent(name -> out.name("displayName").string(name));
            requested.email().ifPresent(email -> out.name("email").string(email));
            out.close();
        }
        requested.priority().ifPresent(priority -> out.name("priority").number(priority));
    }

    /** Version 1 knows nothing of what was requested besides the input. */
    static RunStarted started(JsonCursor at) {
        return started(at, Requested.NOTHING, Optional.empty());
    }

    static RunStarted startedAsRequested(JsonCursor at) {
        return started(at, requested(at), Optional.empty());
    }

    /** Since version 3 a run may be about a subject. */
    static RunStarted startedAbout(JsonCursor at) {
        return started(at, requested(at), Optional.of(subject(at.member("subject"))));
    }

    static SubjectBinding subject(JsonCursor at) {
        return new SubjectBinding(
                new Subject(at.string("kind"), at.string("id")), at.longValue("version"), at.bool("exclusive"));
    }

    private static Requested requested(JsonCursor at) {
        Optional<JsonCursor> principal = at.find("principal");
        return new Requested(
                principal.flatMap(it -> it.find("displayName")).map(JsonCursor::string),
                principal.flatMap(it -> it.find("email")).map(JsonCursor::string),
                at.find("priority").map(priority -> at.intValue("priority")));
    }

    private static RunStarted started(JsonCursor at, Requested requested, Optional<SubjectBinding> subject) {
        Map<String, Payload> input = new LinkedHashMap<>();
        for (JsonCursor root : at.member("input").members()) {
            input.put(root.token(), Parts.payload(root));
        }
        return new RunStarted(
                at.as("program", Sha256::parse),
                at.find("requestId").map(JsonCursor::string),
                input,
                requested,
                subject);
    }

    static void write(FrameOutput out, IncidentRaised body) {
        body.activation().ifPresent(activation -> out.name("activation").string(activation.toString()));
        out.name("code").string(body.code());
        out.name("message").string(body.message());
    }

    static IncidentRaised incident(JsonCursor at) {
        return new IncidentRaised(
                at.string("code"),
                at.find("activation").map(activation -> activation.as(ActivationId::parse)),
                at.string("message"));
    }

    static void write(FrameOutput out, RunFailing body) {
        failure(out, body.error(), body.node());
    }

    static RunFailing failing(JsonCursor at) {
        return new RunFailing(Parts.error(at.member("error")), node(at));
    }

    static void write(FrameOutput out, RunCompleted body) {
        Parts.payload(out.name("output"), body.output());
    }

    static RunCompleted completed(JsonCursor at) {
        return new RunCompleted(Parts.payload(at.member("output")));
    }

    static void write(FrameOutput out, RunFailed body) {
        failure(out, body.error(), body.node());
    }

    static RunFailed failed(JsonCursor at) {
        return new RunFailed(Parts.error(at.member("error")), node(at));
    }

    private static void failure(FrameOutput out, TaskError error, Optional<NodeId> node) {
        Parts.error(out.name("error"), error);
        node.ifPresent(id -> out.name("node").string(id.value()));
    }

    private static Optional<NodeId> node(JsonCursor at) {
        return at.find("node").map(node -> node.as(NodeId::new));
    }
}
