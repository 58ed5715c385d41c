package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.check.Acknowledged;
import dev.flowstone.bench.torture.company.Rest;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.history.Call;
import dev.flowstone.testkit.history.DecisionModel.Answer;
import dev.flowstone.testkit.history.DecisionModel.Ask;
import dev.flowstone.testkit.history.DecisionModel.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Three people who decide on one run at the same time, each at another node, while somebody reads; each under a key of their
 * own, and as often as it takes until they know.
 */
final class Approval {
    private static final int PEOPLE = 3;
    private static final int READS = 3;
    private static final int PAUSE = 60;
    private static final int CONFLICT = 409;

    private final Desk desk;
    private final String run;
    private final String name;
    private final SplittableRandom random;
    private final int node;
    private final boolean twice;

    Approval(Desk desk, String run, String name, SplittableRandom random, int node) {
        this.desk = requireNonNull(desk);
        this.run = requireNonNull(run);
        this.name = requireNonNull(name);
        this.random = requireNonNull(random);
        this.node = node;
        this.twice = random.nextBoolean();
    }

    void decide() throws InterruptedException {
        Optional<String> task = desk.caller().untilKnown(node, this::open).map(answer -> activation(answer.body()));
        if (task.isEmpty()) {
            return;
        }
        List<Thread> all = new ArrayList<>();
        for (int person = 0; person < PEOPLE; person++) {
            int which = person;
            int pause = random.nextInt(PAUSE);
            String outcome = random.nextBoolean() ? "approve" : "reject";
            all.add(thread(() -> decide(which, task.get(), outcome, pause)));
        }
        int pause = random.nextInt(PAUSE);
        all.add(thread(() -> read(pause)));
        for (Thread one : all) {
            one.join();
        }
        for (int i = 0; i < PEOPLE; i++) {
            look("last", node + i);
        }
    }

    /** Does something that may be interrupted. */
    @FunctionalInterface
    private interface Doing {
        void run() throws InterruptedException;
    }

    private Thread thread(Doing doing) {
        return Thread.startVirtualThread(() -> {
            try {
                doing.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                desk.tally().odd("people of " + name + ": " + e);
            }
        });
    }

    /** Its open task; nothing is known as long as there is none. */
    private Optional<Rest.Answer> open(int which) throws InterruptedException {
        return desk.caller()
                .get(which, "/api/v1/executions/" + run + "/tasks")
                .filter(answer -> !activation(answer.body()).isEmpty());
    }

    private static String activation(JsonObject tasks) {
        return tasks.get("items") instanceof JsonArray(List<JsonValue> items)
                        && !items.isEmpty()
                        && items.getFirst() instanceof JsonObject task
                ? text(task, "activation")
                : "";
    }

    private void decide(int person, String task, String outcome, int pause) throws InterruptedException {
        Thread.sleep(pause);
        String who = name + "-p" + person;
        String key = "decision-" + who;
        long before = System.currentTimeMillis();
        JsonObject body = JsonObject.builder().put("outcome", outcome).build();
        Map<String, String> headers = Map.of(
                "Idempotency-Key",
                key,
                "Flowstone-Principal",
                "user:" + who,
                "Flowstone-Roles",
                TortureDefinitions.ROLE);
        String path = "/api/v1/executions/" + run + "/tasks/" + task.replace("#", "%23") + "/decide";
        Optional<Rest.Answer> answer = ask(person, asks(who, key, outcome, path, body, headers));
        if (answer.filter(Rest.Answer::isOk).isPresent()) {
            desk.ledger().add(new Acknowledged.Decided(run, key, outcome), before);
        } else {
            answer.filter(it -> !isTooLate(it))
                    .ifPresent(it -> desk.tally().odd("decision of " + who + " on " + run + ": " + it));
        }
    }

    private Caller.Try asks(
            String who, String key, String outcome, String path, JsonObject body, Map<String, String> headers) {
        return which -> {
            Call<Ask, Answer> call = desk.decisions().decide(run, who, key, outcome);
            Optional<Rest.Answer> told = desk.caller().post(which, path, body, headers);
            end(call, told);
            return told;
        };
    }

    /** One of the people sends what they decided to two nodes at the same time, under one key. */
    private Optional<Rest.Answer> ask(int person, Caller.Try decision) throws InterruptedException {
        if (person > 0 || !twice) {
            return desk.caller().untilKnown(node + person, decision);
        }
        desk.tally().twice();
        Twins twins = Twins.ask(desk.caller(), node + person, decision, decision);
        if (twins.differ(answer -> answer.isOk() ? "done at " + answer.body().get("lastSeq") : "" + answer.status())) {
            desk.tally().differed("decision of " + name + ": " + twins);
        }
        return twins.one();
    }

    private static void end(Call<Ask, Answer> call, Optional<Rest.Answer> told) {
        if (told.isPresent() && !told.get().isSent()) {
            call.refused();
        } else if (told.filter(Rest.Answer::isOk).isPresent()) {
            call.returned(accepted(told.get().body()));
        } else if (told.filter(Approval::isTooLate).isPresent()) {
            call.returned(new Answer.TooLate());
        } else if (told.filter(it -> text(it.body(), "code").equals("IDEMPOTENCY_KEY_REUSED"))
                .isPresent()) {
            call.returned(new Answer.OtherRequest());
        } else {
            call.unknown();
        }
    }

    private static boolean isTooLate(Rest.Answer answer) {
        return answer.status() == CONFLICT && text(answer.body(), "code").equals("CONFLICT");
    }

    private static Answer accepted(JsonObject body) {
        long sequence = body.get("lastSeq") instanceof JsonNumber number ? number.longValue() : 0;
        return JsonBoolean.TRUE.equals(body.get("repeated"))
                ? new Answer.Duplicate(sequence)
                : new Answer.Accepted(sequence);
    }

    private void read(int pause) throws InterruptedException {
        for (int i = 0; i < READS; i++) {
            Thread.sleep(pause);
            look("reader", node + i);
        }
    }

    private void look(String reader, int which) throws InterruptedException {
        Call<Ask, Answer> call = desk.decisions().read(run, reader);
        Optional<Answer> seen = desk.caller()
                .get(which, "/api/v1/executions/" + run + "?include=events&limit=200")
                .filter(Rest.Answer::isOk)
                .map(answer -> seen(answer.body()));
        // Nobody minds a look of which nothing came.
        seen.ifPresentOrElse(call::returned, call::refused);
    }

    private static Answer seen(JsonObject execution) {
        if (execution.get("events") instanceof JsonObject page
                && page.get("items") instanceof JsonArray(List<JsonValue> events)) {
            for (JsonValue event : events) {
                if (event instanceof JsonObject told
                        && text(told, "kind").equals("HumanDecided")
                        && told.get("body") instanceof JsonObject body) {
                    return new Answer.Decided(new Choice(text(body, "outcome")));
                }
            }
        }
        return new Answer.Undecided();
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }
}
