package dev.flowstone.bench.torture.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.history.DecisionModel.Answer;
import dev.flowstone.testkit.history.DecisionModel.Choice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each run is judged alone, and one that can't be explained is told. */
final class DecisionLogTest {
    private final DecisionLog log = new DecisionLog();

    @Test
    void whatCanBeIsSaidToBe() {
        log.decide("a", "ann", "k1", "approve").returned(new Answer.Accepted(5));
        log.decide("a", "bob", "k2", "reject").returned(new Answer.TooLate());
        log.read("a", "eve").returned(new Answer.Decided(new Choice("approve")));
        log.decide("b", "ann", "k3", "approve").unknown();
        log.decide("b", "ann", "k3", "approve").returned(new Answer.Duplicate(7));

        DecisionLog.Judgement judgement = log.judge();

        assertEquals(2, judgement.runs());
        assertEquals(5, judgement.operations());
        assertEquals(0, judgement.unexplained().size());
        assertEquals(0, judgement.undecided());
    }

    @Test
    void whatWasToldIsKeptInOrder() {
        log.read("a", "eve").returned(new Answer.Undecided());
        log.decide("a", "ann", "k1", "approve").returned(new Answer.Accepted(5));

        List<String> lines = log.lines();

        assertEquals(2, lines.size());
        assertTrue(lines.getFirst().contains("eve: Read"), lines::toString);
        assertTrue(lines.getLast().contains("ann: Decide") && lines.getLast().contains("Accepted"), lines::toString);
    }

    @Test
    void twoWhoWereBothFirstAreTold() {
        log.decide("a", "ann", "k1", "approve").returned(new Answer.Accepted(5));
        log.decide("a", "bob", "k2", "reject").returned(new Answer.Accepted(6));
        log.decide("b", "ann", "k3", "approve").returned(new Answer.Accepted(5));

        DecisionLog.Judgement judgement = log.judge();

        assertEquals(1, judgement.unexplained().size());
        assertTrue(judgement.unexplained().getFirst().startsWith("a:"), judgement::toString);
    }
}
