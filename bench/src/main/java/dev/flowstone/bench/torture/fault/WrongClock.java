package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.company.Node;
import dev.flowstone.bench.torture.company.Rest;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.kernel.json.JsonNumber;
import java.time.Duration;
import java.util.OptionalDouble;

/** A node's clock ahead, behind, and right again, each until the node itself says that it noticed. */
final class WrongClock {
    private static final Duration OFFSET = Duration.ofSeconds(90);

    /** From here on the node has seen it. */
    private static final Duration SEEN = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CALL = Duration.ofSeconds(3);

    private final Node node;
    private final Rest rest;

    WrongClock(Node node, Rest rest) {
        this.node = requireNonNull(node);
        this.rest = requireNonNull(rest);
    }

    void ahead() throws Exception {
        node.setClock(OFFSET);
        await("ahead of", () -> seen().orElse(0) >= SEEN.toSeconds());
    }

    void behind() throws Exception {
        node.setClock(OFFSET.negated());
        await("behind", () -> seen().orElse(0) <= -SEEN.toSeconds());
    }

    void right() throws Exception {
        node.setClock(Duration.ZERO);
        await("near", () -> Math.abs(seen().orElse(Double.MAX_VALUE)) < SEEN.toSeconds());
    }

    private void await(String where, Proof.Sign sign) throws Exception {
        Proof.await(sign, PATIENCE, node.name() + " didn't see its clock " + where + " the database's");
    }

    /** By how much it is ahead of the database's clock, as the node says, in seconds. */
    private OptionalDouble seen() throws InterruptedException {
        return rest.get(node, "/api/v1/system/skew", CALL)
                .filter(Answer::isOk)
                .map(answer -> answer.body().get("clockAheadSeconds"))
                .filter(JsonNumber.class::isInstance)
                .map(ahead -> OptionalDouble.of(((JsonNumber) ahead).doubleValue()))
                .orElse(OptionalDouble.empty());
    }
}
