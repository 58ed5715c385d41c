package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.check.Acknowledged;
import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** What one client does about one run, from its start on. */
final class Life {
    private static final int LONGEST_WAIT = 1_500;
    private static final int LONGEST_SLEEP = 4_000;
    private static final int TWICE_ONE_IN = 4;

    private final Desk desk;
    private final Kind kind;
    private final String name;
    private final SplittableRandom random;
    private final int node;

    /**
     * One that hasn't begun.
     *
     * @param name by which the run is started, and hears signals
     * @param random of its own
     */
    Life(Desk desk, Kind kind, String name, SplittableRandom random) {
        this.desk = requireNonNull(desk);
        this.kind = requireNonNull(kind);
        this.name = requireNonNull(name);
        this.random = requireNonNull(random);
        this.node = random.nextInt(1 << 20);
    }

    void live() throws InterruptedException {
        Optional<String> run = start();
        if (run.isPresent()) {
            switch (kind) {
                case APPROVAL -> new Approval(desk, run.get(), name, random, node).decide();
                case SIGNAL -> signal(run.get());
                case UNDO -> new Undoing(desk, run.get(), name, node).settle();
                case SEQUENCE, TIMER, TELL, PROBE -> {}
            }
        }
    }

    private Optional<String> start() throws InterruptedException {
        JsonObject body = JsonObject.builder()
                .put("requestId", name)
                .put(
                        "trigger",
                        JsonObject.builder()
                                .put("name", name)
                                .put("millis", 500 + random.nextInt(LONGEST_SLEEP))
                                .build())
                .build();
        long before = System.currentTimeMillis();
        String path = "/api/v1/workflows/" + kind.workflow() + "/execute";
        Optional<Answer> answer = ask(which -> desk.caller().post(which, path, body, Map.of()));
        Optional<String> run = answer.filter(Answer::isOk).map(it -> text(it.body(), "executionId"));
        run.ifPresentOrElse(
                id -> desk.ledger().add(new Acknowledged.Started(kind, name, id), before),
                () -> answer.ifPresent(it -> desk.tally().odd("start of " + name + ": " + it)));
        return run;
    }

    /** Of one node, or of two at the same time. */
    private Optional<Answer> ask(Caller.Try start) throws InterruptedException {
        if (random.nextInt(TWICE_ONE_IN) > 0) {
            return desk.caller().untilKnown(node, start);
        }
        desk.tally().twice();
        Twins twins = Twins.ask(desk.caller(), node, start, start);
        if (twins.differ(answer -> text(answer.body(), "executionId"))) {
            desk.tally().differed("start of " + name + ": " + twins);
        }
        return twins.one();
    }

    private void signal(String run) throws InterruptedException {
        Thread.sleep(random.nextInt(LONGEST_WAIT));
        JsonObject body = JsonObject.builder()
                .put("type", TortureDefinitions.SIGNAL)
                .put("key", name)
                .put("payload", JsonObject.builder().put("key", name).build())
                .put("dedupe", name)
                .build();
        long before = System.currentTimeMillis();
        Optional<Answer> answer = desk.caller()
                .untilKnown(
                        node + 1,
                        which -> desk.caller()
                                .post(which, "/api/v1/signals", body, Map.of("Idempotency-Key", "signal-" + name)));
        if (answer.filter(Answer::isOk).isPresent()) {
            desk.ledger().add(new Acknowledged.Signaled(run, name), before);
        } else {
            answer.ifPresent(it -> desk.tally().odd("signal to " + name + ": " + it));
        }
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }
}
