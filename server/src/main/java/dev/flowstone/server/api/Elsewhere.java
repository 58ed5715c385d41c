package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Method;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What workers ask that concerns other nodes' executions, too: each node is asked for its own, all at once, and answers stand
 * in the order of the questions.
 */
final class Elsewhere {
    /** For answers that are of no use later. */
    static final Duration SOON = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(Elsewhere.class.getName());
    private static final int OK = 200;

    private final Engine engine;
    private final Forwarder forwarder;
    private final AtomicInteger turn = new AtomicInteger();

    Elsewhere(Engine engine, Forwarder forwarder) {
        this.engine = requireNonNull(engine);
        this.forwarder = requireNonNull(forwarder);
    }

    /** Answers those of a batch that are this node's, in their order. */
    @FunctionalInterface
    interface Here {
        List<JsonValue> answer(List<Fields> tasks) throws ProblemException;
    }

    /**
     * Answers a batch.
     *
     * @param tasks what is asked, one for each answer
     * @param patience with other nodes
     * @param silent said of a task whose node has not answered
     */
    List<JsonValue> each(Call call, List<Fields> tasks, Duration patience, JsonValue silent, Here here)
            throws ProblemException {
        if (isEmpty()) {
            return here.answer(tasks);
        }
        List<Integer> own = new ArrayList<>();
        Map<Member, List<Integer>> others = new LinkedHashMap<>();
        for (int i = 0; i < tasks.size(); i++) {
            Optional<Member> owner = owner(tasks.get(i));
            (owner.isPresent() ? others.computeIfAbsent(owner.get(), _ -> new ArrayList<>()) : own).add(i);
        }
        if (others.isEmpty()) {
            return here.answer(tasks);
        }
        Map<List<Integer>, CompletableFuture<List<JsonValue>>> asked = new LinkedHashMap<>();
        others.forEach((member, places) -> asked.put(
                places,
                CompletableFuture.supplyAsync(
                        () -> ask(call, member, of(tasks, places), patience, silent), Thread::startVirtualThread)));
        JsonValue[] answers = new JsonValue[tasks.size()];
        Arrays.fill(answers, silent);
        put(answers, own, own.isEmpty() ? List.of() : here.answer(of(tasks, own)));
        asked.forEach((places, answer) -> put(answers, places, answer.join()));
        return List.of(answers);
    }

    private static void put(JsonValue[] answers, List<Integer> places, List<JsonValue> found) {
        for (int i = 0; i < places.size(); i++) {
            answers[places.get(i)] = found.get(i);
        }
    }

    private static List<Fields> of(List<Fields> tasks, List<Integer> places) {
        return places.stream().map(tasks::get).toList();
    }

    /** What can't be read is for this node to refuse. */
    private Optional<Member> owner(Fields task) {
        try {
            return engine.elsewhere(Answers.execution(task));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    private List<JsonValue> ask(Call call, Member member, List<Fields> tasks, Duration patience, JsonValue silent) {
        JsonArray asked =
                new JsonArray(tasks.stream().<JsonValue>map(Fields::json).toList());
        List<JsonValue> answers = ask(call, member, Map.of(RemoteTaskRoutes.TASKS, asked), patience);
        return answers.size() == tasks.size()
                ? answers
                : tasks.stream().map(_ -> silent).toList();
    }

    /**
     * The tasks of an answer to this call at another node.
     *
     * @param changed members of the body that are others there
     */
    private List<JsonValue> ask(Call call, Member member, Map<String, JsonValue> changed, Duration patience) {
        Map<String, JsonValue> body = new LinkedHashMap<>();
        try {
            body.putAll(call.fields().json().members());
        } catch (ProblemException e) {
            throw new IllegalStateException("a body was read and can't be", e);
        }
        body.putAll(changed);
        Optional<Reply> reply = post(call, member, call.route().path(), JsonObject.of(body), patience);
        reply.filter(it -> it.status() != OK)
                .ifPresent(it -> LOG.log(
                        Level.WARNING, "node " + member.name() + " answers " + it.status() + " to " + call.route()));
        return reply.filter(it -> it.status() == OK)
                .map(it -> tasks(member, it))
                .orElse(List.of());
    }

    /** Asks something at another node; empty if it certainly wasn't asked. */
    Optional<Reply> post(Call call, Member member, String target, JsonObject body, Duration patience) {
        Forwarded question = Forwarded.of(call, Method.POST, target, CanonicalJson.exact(body), patience);
        return patience.compareTo(SOON) > 0
                ? forwarder.forward(member, question)
                : forwarder.forwardAtOnce(member, question);
    }

    private static List<JsonValue> tasks(Member member, Reply reply) {
        return object(member, reply).get(RemoteTaskRoutes.TASKS) instanceof JsonArray(List<JsonValue> items)
                ? items
                : List.of();
    }

    /** What a node has answered; nothing if that is no JSON. */
    static JsonObject object(Member member, Reply reply) {
        return reply.object().orElseGet(() -> {
            LOG.log(
                    Level.WARNING,
                    "node " + member.name() + " answers " + reply.status() + " with what is no JSON object");
            return JsonObject.EMPTY;
        });
    }

    /** Whether there are others to be asked. */
    boolean isEmpty() {
        return forwarder.equals(Forwarder.NONE) || engine.others().isEmpty();
    }

    /**
     * What the first of the others hands out that has something; each time another is asked first.
     *
     * @param changed members of the body that are others there
     */
    List<JsonValue> first(Call call, Map<String, JsonValue> changed) {
        List<Member> others = engine.others();
        int begin = turn.getAndIncrement();
        for (int i = 0; i < others.size(); i++) {
            List<JsonValue> found = ask(call, others.get(Math.floorMod(begin + i, others.size())), changed, SOON);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    /** What all others answer that do, to a GET of this path. */
    List<JsonObject> everywhere(Call call, String path) {
        if (isEmpty()) {
            return List.of();
        }
        Forwarded look = Forwarded.of(call, Method.GET, path, new byte[0], SOON);
        List<CompletableFuture<JsonObject>> asked = engine.others().stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> forwarder
                                .forwardAtOnce(member, look)
                                .filter(reply -> reply.status() == OK)
                                .map(reply -> object(member, reply))
                                .orElse(JsonObject.EMPTY),
                        Thread::startVirtualThread))
                .toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }
}
