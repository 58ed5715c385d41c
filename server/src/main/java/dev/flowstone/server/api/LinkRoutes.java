package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.server.api.doc.WorkerDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * How a worker outside names what it makes outside, and finds what others have made (kernel rule R20). The same links of
 * the same attempt by the same worker are recorded once, whichever idempotency keys they come under.
 */
final class LinkRoutes {
    static final String LINKS = "links";

    private static final int NAME = 200;
    private static final int INLINE_BYTES = TaskConfig.DEFAULT.inlineBytes();

    private final RunCalls calls;
    private final Function<TenantId, LinkLookup> lookups;

    LinkRoutes(RunCalls calls, Function<TenantId, LinkLookup> lookups) {
        this.calls = requireNonNull(calls);
        this.lookups = requireNonNull(lookups);
    }

    List<Route> routes() {
        return List.of(
                Route.post(
                        ExecutionJson.ROOT + "/{id}/tasks/{activation}/links",
                        Scope.TASKS_WORK,
                        WorkerDocs.LINK,
                        BodyRule.REQUIRED,
                        this::link),
                Route.get("/api/v1/links", Scope.TASKS_WORK, WorkerDocs.FIND_LINK, this::find));
    }

    private Reply link(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(WorkerRoutes.ATTEMPT, LINKS));
        int attempt = WorkerRoutes.attempt(body);
        List<ResourceLink> links = new ArrayList<>();
        for (TaskResult.Link link : results(body)) {
            links.add(new ResourceLink(link.type(), link.key(), Payload.of(link.content())));
        }
        if (links.isEmpty()) {
            throw body.missing(LINKS);
        }
        ActivationId activation = Answers.activation(call);
        RunCalls.Done done = calls.ask(
                call,
                Answers.execution(call),
                new Command.LinkResources(activation, attempt, links),
                List.of(),
                Optional.of(key(call.caller().principal(), activation, body)));
        return RunCalls.reply(
                done,
                JsonObject.builder().put("activation", activation.toString()).put(WorkerRoutes.ATTEMPT, attempt));
    }

    /**
     * A worker that isn't sure whether it was heard says the same again: that is one claim. It is known by what it says and
     * by who says it, so that a key of the caller's adds nothing, and two workers never meet each other's receipts.
     */
    private static String key(Actor worker, ActivationId activation, Fields body) {
        JsonObject said = JsonObject.builder()
                .put("worker", worker.toString())
                .put("activation", activation.toString())
                .put("said", body.json())
                .build();
        return "links:" + Sha256.digest(CanonicalJson.exact(said));
    }

    /** The links that a body names; none if it names none. Each is one that can be recorded. */
    static List<TaskResult.Link> results(Fields body) throws ProblemException {
        List<TaskResult.Link> links = new ArrayList<>();
        for (Fields each : body.objects(LINKS, ResourceLink.MOST).orElse(List.of())) {
            Fields link = each.only(Set.of("type", "key", "content"));
            JsonValue content = link.value("content").orElse(JsonObject.EMPTY);
            refuseTooLarge(link, content);
            links.add(new TaskResult.Link(link.requiredText("type", NAME), link.requiredText("key", NAME), content));
        }
        return links;
    }

    /** Its content travels in messages, so it stands inline. Whoever hears of it still has the task, and can say it again. */
    private static void refuseTooLarge(Fields link, JsonValue content) throws ProblemException {
        long bytes = CanonicalJson.exactLength(content);
        if (bytes > INLINE_BYTES) {
            throw link.exceeded(
                    "content",
                    "a link's content has at most " + INLINE_BYTES + " bytes, not " + bytes,
                    "keep the large part where the link leads, or give it as the task's output");
        }
    }

    private Reply find(Call call) throws ProblemException, JournalException {
        String type = call.query().prose("type", NAME);
        String key = call.query().prose("key", NAME);
        LinkLookup.Found found = lookups.apply(call.tenant())
                .find(type, key)
                .orElseThrow(() -> Problem.of(
                                ProblemCode.NOT_FOUND,
                                "nobody has linked " + Cut.text(type) + " '" + Cut.text(key) + "' yet")
                        .exception());
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("type", type)
                        .put("key", key)
                        .put("executionId", found.owner().toString())
                        .put("content", found.content())
                        .build());
    }
}
