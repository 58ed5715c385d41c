package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.check.Acknowledged;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A person who stays by a run that undoes what it did, and says what was done about each effect that can't be undone. */
final class Undoing {
    private static final Set<String> UNDER_WAY = Set.of("Pending", "Running");
    private static final String STATEMENT = "returned by hand";

    private final Desk desk;
    private final String run;
    private final String name;
    private final int node;

    Undoing(Desk desk, String run, String name, int node) {
        this.desk = requireNonNull(desk);
        this.run = requireNonNull(run);
        this.name = requireNonNull(name);
        this.node = node;
    }

    /** Returns when the run is over, or nobody tells. */
    void settle() throws InterruptedException {
        Optional<String> open = open();
        while (open.isPresent() && !open.get().isEmpty()) {
            if (!attest(open.get())) {
                return;
            }
            open = open();
        }
    }

    /** The attestation that is asked for next; "" if the run is over, and empty if that is never known. */
    private Optional<String> open() throws InterruptedException {
        return desk.caller().untilKnown(node, this::look).map(answer -> first(answer.body()));
    }

    /** What is asked of people, or the run if it is over; nothing is known before. */
    private Optional<Answer> look(int which) throws InterruptedException {
        Optional<Answer> over = desk.caller()
                .get(which, path(""))
                .filter(Answer::isOk)
                .filter(answer -> !UNDER_WAY.contains(text(answer.body(), "status")));
        return over.isPresent()
                ? over
                : desk.caller()
                        .get(which, path("/attestations"))
                        .filter(answer -> answer.isOk() && !first(answer.body()).isEmpty());
    }

    private boolean attest(String id) throws InterruptedException {
        String key = "attested-" + name + "-" + id;
        JsonObject body = JsonObject.builder().put("statement", STATEMENT).build();
        long before = System.currentTimeMillis();
        Optional<Answer> answer = desk.caller()
                .untilKnown(
                        node + 1,
                        which -> desk.caller()
                                .post(
                                        which,
                                        path("/attestations/" + id.replace("#", "%23")),
                                        body,
                                        Map.of("Idempotency-Key", key)));
        boolean taken = answer.filter(Answer::isOk).isPresent();
        if (taken) {
            desk.ledger().add(new Acknowledged.Attested(run, key, id), before);
        } else {
            answer.ifPresent(it -> desk.tally().odd("attestation " + id + " of " + run + ": " + it));
        }
        return taken;
    }

    private String path(String of) {
        return "/api/v1/executions/" + run + of;
    }

    private static String first(JsonObject page) {
        return page.get("items") instanceof JsonArray(List<JsonValue> items)
                        && !items.isEmpty()
                        && items.getFirst() instanceof JsonObject attestation
                ? text(attestation, "id")
                : "";
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }
}
