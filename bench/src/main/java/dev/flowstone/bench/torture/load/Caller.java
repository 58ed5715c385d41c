package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.company.Node;
import dev.flowstone.bench.torture.company.Rest;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Asks one node after another until it knows. */
final class Caller {
    /** For one answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    /** In all. */
    private static final Duration LONGEST = Duration.ofMinutes(4);

    private static final int FIRST_PAUSE = 100;
    private static final int LONGEST_PAUSE = 3_000;
    private static final int DOUBLINGS = 5;
    private static final int TOO_MANY = 429;
    private static final int INTERNAL = 500;

    private final Rest rest;
    private final List<Node> nodes;
    private final Tally tally;

    Caller(Rest rest, List<Node> nodes, Tally tally) {
        this.rest = requireNonNull(rest);
        this.nodes = List.copyOf(nodes);
        this.tally = requireNonNull(tally);
    }

    /** Asks once something. */
    @FunctionalInterface
    interface Try {
        /**
         * Asks.
         *
         * @param node which of them, in any number
         * @return empty if nobody knows what became of it
         */
        Optional<Answer> ask(int node) throws InterruptedException;
    }

    /** Asks again until it is known; empty if it never is. */
    Optional<Answer> untilKnown(int first, Try asks) throws InterruptedException {
        Elapsed elapsed = new Elapsed();
        for (int tries = 0; !elapsed.isBeyond(LONGEST); tries++) {
            Optional<Answer> answer = asks.ask(first + tries);
            if (answer.filter(Caller::isKnown).isPresent()) {
                return answer;
            }
            pause(tries);
        }
        tally.givenUp();
        return Optional.empty();
    }

    Optional<Answer> post(int node, String path, JsonObject body, Map<String, String> headers)
            throws InterruptedException {
        return noted(path, rest.post(node(node), path, body, headers, PATIENCE));
    }

    /** What is only looked at isn't counted. */
    Optional<Answer> get(int node, String path) throws InterruptedException {
        return rest.get(node(node), path, PATIENCE);
    }

    private Node node(int which) {
        return nodes.get(Math.floorMod(which, nodes.size()));
    }

    private Optional<Answer> noted(String path, Optional<Answer> answer) {
        if (answer.filter(Answer::isOk).isPresent()) {
            tally.acknowledged();
        } else if (answer.filter(Caller::isKnown).isEmpty()) {
            tally.unanswered();
        }
        answer.filter(it -> it.status() == INTERNAL).ifPresent(it -> tally.odd(path + ": 500 " + it.body()));
        return answer;
    }

    /** Whether it is settled: what is busy, away or broken is asked again. */
    static boolean isKnown(Answer answer) {
        return answer.isSent() && answer.status() < INTERNAL && answer.status() != TOO_MANY;
    }

    private static void pause(int tries) throws InterruptedException {
        int longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(tries, DOUBLINGS));
        Thread.sleep(longest / 2 + ThreadLocalRandom.current().nextInt(longest / 2));
    }
}
