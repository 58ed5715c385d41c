package dev.flowstone.bench.torture;

import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.bench.torture.load.Elapsed;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is left of the messages when all is quiet.
 *
 * @param pending those that haven't left, up to a page of them
 * @param dead those that were given up, likewise
 */
record OutboxLeft(long pending, long dead) {
    private static final int PAGE = 200;
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /**
     * Waits until nothing is pending, or the patience is over.
     *
     * @throws IllegalStateException if no node tells within that time
     */
    static OutboxLeft await(Company company, Duration patience) throws InterruptedException {
        Elapsed elapsed = new Elapsed();
        for (int tries = 0; ; tries++) {
            boolean last = elapsed.isBeyond(patience);
            Optional<Long> pending = count(company, "pending", tries);
            Optional<Long> dead = count(company, "dead", tries);
            if (pending.isPresent() && dead.isPresent() && (last || pending.get() == 0)) {
                return new OutboxLeft(pending.get(), dead.get());
            }
            if (last) {
                throw new IllegalStateException("no node lists the outbox within " + patience.toSeconds() + " s");
            }
            Thread.sleep(PAUSE);
        }
    }

    private static Optional<Long> count(Company company, String state, int which) throws InterruptedException {
        return company.rest()
                .get(
                        company.nodes().get(which % company.nodes().size()),
                        "/api/v1/outbox?state=" + state + "&limit=" + PAGE,
                        CALL)
                .filter(Answer::isOk)
                .map(answer -> answer.body().get("items") instanceof JsonArray(List<JsonValue> items)
                        ? (long) items.size()
                        : 0L);
    }
}
