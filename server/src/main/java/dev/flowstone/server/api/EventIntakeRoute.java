package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.EventTriggers;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.EventDocs;
import dev.flowstone.server.execution.SharedReads;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.http.Waits;
import dev.flowstone.server.trigger.EventStarts;
import dev.flowstone.server.trigger.Listeners;
import dev.flowstone.server.trigger.TriggerDesk;
import dev.flowstone.triggers.event.CloudEvent;
import dev.flowstone.triggers.event.EventChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Takes CloudEvents from outside: each is compared at once with the tenant's event triggers, and kept nowhere else. Its id and source
 * make it repeatable: what it has started before is met again.
 */
final class EventIntakeRoute {
    /** Starts that one call may ask for. */
    private static final int STARTS = 1_000;

    /** Events of one call that are kept, once for each trigger, if they can't start anything now. */
    static final int KEPT = 100;

    /** Of one call, at once. */
    private static final int AT_ONCE = 16;

    private final TriggerDesk desk;
    private final EventStarts starts;
    private final Limits limits;
    private final SharedReads<TenantId, Listeners> listeners;

    /** @param limits on starts of each workflow */
    EventIntakeRoute(TriggerDesk desk, EventStarts starts, Limits limits) {
        this.desk = requireNonNull(desk);
        this.starts = requireNonNull(starts);
        this.limits = requireNonNull(limits);
        EventTriggers triggers = desk.triggers().events();
        this.listeners = new SharedReads<>(tenant -> Listeners.of(triggers.listening(tenant)));
    }

    Route route() {
        return Route.post("/api/v1/events", Scope.WORKFLOWS_EXECUTE, EventDocs.SEND, BodyRule.ANY, this::take)
                .waiting(Waits.START);
    }

    /** An event, and what wants it. */
    private record Wanted(CloudEvent event, List<Trigger> triggers) {}

    private Reply take(Call call) throws ProblemException, JournalException {
        if (!desk.rules().events()) {
            throw Problem.of(ProblemCode.FORBIDDEN, "this installation takes no events (trigger.events)")
                    .exception();
        }
        List<CloudEvent> events = SentEvents.of(call);
        Listeners now = listeners.read(call.tenant());
        List<Wanted> wanted = events.stream()
                .map(event -> new Wanted(event, now.of(call.tenant(), event)))
                .toList();
        int asked = wanted.stream().mapToInt(it -> it.triggers().size()).sum();
        if (asked > STARTS) {
            throw Problem.of(
                            ProblemCode.LIMIT_EXCEEDED,
                            "triggers would start " + asked + " executions, and one call starts " + STARTS
                                    + " at most; nothing was done: send the events in several calls")
                    .exception();
        }
        return Reply.json(202, taken(call, wanted));
    }

    private JsonObject taken(Call call, List<Wanted> wanted) throws JournalException {
        Semaphore places = new Semaphore(AT_ONCE);
        Semaphore kept = new Semaphore(KEPT);
        List<List<CompletableFuture<Result>>> results = new ArrayList<>();
        for (Wanted one : wanted) {
            results.add(one.triggers().stream()
                    .map(trigger -> begin(places, () -> start(call, trigger, one.event(), kept::tryAcquire)))
                    .toList());
        }
        List<JsonValue> told = new ArrayList<>();
        long started = 0;
        for (int i = 0; i < wanted.size(); i++) {
            List<Result> ended = new ArrayList<>();
            for (CompletableFuture<Result> result : results.get(i)) {
                ended.add(end(result));
            }
            started += ended.stream()
                    .filter(it -> it.outcome() == Result.Outcome.STARTED)
                    .count();
            told.add(told(wanted.get(i), ended));
        }
        return JsonObject.builder()
                .put("started", started)
                .put("events", new JsonArray(told))
                .build();
    }

    /** Waits for the database. */
    @FunctionalInterface
    private interface Start {
        Result get() throws JournalException;
    }

    private static CompletableFuture<Result> begin(Semaphore places, Start start) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        Thread.ofVirtual().name("flowstone-event-start").start(() -> {
            places.acquireUninterruptibly();
            try {
                result.complete(start.get());
            } catch (JournalException | RuntimeException e) {
                result.completeExceptionally(e);
            } finally {
                places.release();
            }
        });
        return result;
    }

    private Result start(Call call, Trigger trigger, CloudEvent event, BooleanSupplier mayKeep)
            throws JournalException {
        // It begins a chain: callers' ids go on with none.
        EventChain chain = EventChain.of(call.correlation());
        CountedStart count = new CountedStart(
                limits, trigger.key().tenant(), trigger.target().workflow());
        Result result = starts.take(trigger, event.delivery(), event.json(), chain, count, mayKeep);
        if (result.outcome() != Result.Outcome.STARTED) {
            count.giveBack();
        }
        return result;
    }

    private static Result end(CompletableFuture<Result> result) throws JournalException {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof JournalException failed) {
                throw failed;
            }
            throw e;
        }
    }

    private static JsonObject told(Wanted wanted, List<Result> results) {
        JsonObject.Builder json = JsonObject.builder()
                .put("id", wanted.event().id())
                .put("source", wanted.event().source())
                .put("status", results.isEmpty() ? "ignored" : "taken");
        if (results.isEmpty()) {
            json.put("reason", "no event trigger that is on wants it");
        }
        List<JsonValue> triggers = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            triggers.add(told(wanted.triggers().get(i), results.get(i)));
        }
        return json.put("triggers", new JsonArray(triggers)).build();
    }

    private static JsonObject told(Trigger trigger, Result result) {
        return JsonObject.builder()
                .put("triggerId", trigger.key().id().toString())
                .put("workflowId", trigger.target().workflow().value())
                .put("status", result.outcome().toString())
                .putIfPresent("executionId", result.run().map(RunId::toString))
                .putIfPresent("code", result.code())
                .putIfPresent("detail", result.detail())
                .build();
    }
}
