package dev.flowstone.testkit.simulation.invariant;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.testkit.simulation.world.Clients;
import dev.flowstone.testkit.simulation.world.Violation;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The rule notices a start too many, and makes no mistake about what may be made up for. */
final class QuotaIsKeptTest {
    private static final Clients.Incarnation NODE = new Clients.Incarnation("node-1", 1);
    private static final StartAnswer STARTED = new StartAnswer.Started(RunId.of(Instant.EPOCH, new Slot(1), 1), 1);
    private static final StartAnswer NOTHING = new StartAnswer.Busy("a test's", Duration.ofSeconds(1));

    private final QuotaIsKept rule = new QuotaIsKept();

    private void heard(double perSecond, long asked, long heard, StartAnswer answer) {
        rule.heard(perSecond, new Clients.Door(NODE, Duration.ofMillis(asked), Duration.ofMillis(heard)), answer);
    }

    private void started(double perSecond, long... asked) {
        for (long at : asked) {
            heard(perSecond, at, at, STARTED);
        }
    }

    private void isKept(double perSecond) {
        assertDoesNotThrow(() -> rule.judge(perSecond));
    }

    private void isBroken(double perSecond) {
        assertThrows(Violation.class, () -> rule.judge(perSecond));
    }

    @Test
    void aSecondsWorthMayComeAtOnce() {
        started(3, 100, 100, 100, 434);
        isKept(3);

        started(3, 434);
        isBroken(3);
    }

    @Test
    void oneAtLeast() {
        started(0.25, 0, 4_000);
        isKept(0.25);

        started(0.25, 7_900);
        isBroken(0.25);
    }

    @Test
    void theOrderOfAnswersIsNothing() {
        started(1, 0, 500);

        isBroken(1);
    }

    @Test
    void oneInTheMidstOfOthersIsSeen() {
        started(2, 0, 500, 1_000);
        isKept(2);

        started(2, 999, 998);
        isBroken(2);
    }

    @Test
    void whatCameToNothingMayBeMadeUpFor() {
        heard(1, 0, 700, NOTHING);
        started(1, 600, 700);

        isKept(1);
    }

    @Test
    void butNotLaterAndNotTwice() {
        heard(1, 0, 100, NOTHING);
        started(1, 5_000, 5_000);

        isBroken(1);
    }

    @Test
    void nobodyWaitsLongerThanForTheNextPlace() {
        StartAnswer.OverQuota bearable = new StartAnswer.OverQuota("a test's", Duration.ofSeconds(4));
        heard(0.25, 0, 0, bearable);

        assertThrows(
                Violation.class, () -> heard(0.25, 0, 0, new StartAnswer.OverQuota("a test's", Duration.ofSeconds(6))));
        assertThrows(Violation.class, () -> heard(0.25, 0, 0, new StartAnswer.OverQuota("a test's", Duration.ZERO)));
        assertThrows(Violation.class, () -> heard(0, 0, 0, bearable));
    }
}
