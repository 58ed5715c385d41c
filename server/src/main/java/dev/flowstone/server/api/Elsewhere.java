package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
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
     * @param silent said of a task whose node has not answered
     */
    List<JsonValue> each(Call call, List<Fields> tasks, JsonValue silent, Here here) throws ProblemException {
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
                        () -> ask(call, member, of(tasks, places), silent), Thread::startVirtualThread)));
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

    private List<JsonValue> ask(Call call, Member member, List<Fields> tasks, JsonValue silent) {
        JsonArray asked = new JsonArray(tasks.stream().<JsonValue>map(Fields::json).toList());
        List<JsonValue> answers = ask(call, member, Map.of(RemoteTaskRoutes.TASKS, asked));
        return answers.size() == tasks.size()
                ? answers
                : tasks.stream().map(_ -> silent).toList();
    }

    /**
     * The tasks of an answer to this call at another node.
     *
     * @param changed members of the body that are others there
     */
    private List<JsonValue> ask(Call call, Member member, Map<String, JsonValue> changed) {
        Map<String, JsonValue> body = new LinkedHashMap<>();
        try {
            body.putAll(call.fields().json().members());
        } catch (ProblemException e) {
            throw new IllegalStateException("a body was read and can't be", e);
        }
        body.putAll(changed);
        Optional<Reply> reply =
                forwarder.forward(member, Forwarded.of(call, CanonicalJson.exact(JsonObject.of(body))));
        return reply.filter(it -> it.status() == OK).map(Elsewhere::tasks).orElse(List.of());
    }

    private static List<JsonValue> tasks(Reply reply) {
        try {
            return JsonParser.parse(reply.body()) instanceof JsonObject json
                            && json.get(RemoteTaskRoutes.TASKS) instanceof JsonArray(List<JsonValue> items)
                    ? items
                    : List.of();
        } catch (JsonSyntaxException e) {
            return List.of();
        }
    }

    /** Whether there are others to be asked. */
    boolean isEmpty() {
        return forwarder == Forwarder.NONE || engine.others().isEmpty();
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
            List<JsonValue> found = ask(call, others.get(Math.floorMod(begin + i, others.size())), changed);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    /** What all others answer that do, to a GET of this path. */
    List<Reply> everywhere(Call call, String path) {
        if (isEmpty()) {
            return List.of();
        }
        List<CompletableFuture<Optional<Reply>>> asked = engine.others().stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> forwarder.forward(member, Forwarded.get(call, path)), Thread::startVirtualThread))
                .toList();
        return asked.stream()
                .flatMap(reply -> reply.join().stream())
                .filter(reply -> reply.status() == OK)
                .toList();
    }

    /** Tells it to all others. */
    void all(Call call) {
        if (!isEmpty()) {
            engine.others().forEach(member -> ask(call, member, Map.of()));
        }
    }
}
