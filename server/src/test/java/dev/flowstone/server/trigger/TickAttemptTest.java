package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.trigger.TickAttempt.Ended;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of an open tick, by what came of its start and how long it has been tried. */
final class TickAttemptTest {
    private static final Instant NOW = FakeSchedules.NOW;
    private static final RunId RUN = RunId.parse("01890a5d-ac96-774b-bcce-b302099a8057");
    private static final Launched STARTED = answered(new StartAnswer.Started(RUN, 1));
    private static final Launched FOUND = answered(new StartAnswer.Existing(RUN));
    private static final Launched BUSY = answered(new StartAnswer.Busy("busy", Duration.ofSeconds(1)));

    private final Starter starter = new Starter();
    private final TickAttempt attempt = new TickAttempt(starter, new RulesCache());

    private static Launched answered(StartAnswer answer) {
        return new Launched.Asked("r", new Starts.Outcome.Answered(answer));
    }

    /** Answers as it is told. */
    private static final class Starter implements TickStarter {
        private Optional<Launched> launched = Optional.empty();
        private Optional<Launched> before = Optional.empty();
        private Optional<Throwable> fault = Optional.empty();
        private int starts;

        @Override
        public Launched launch(Trigger trigger, Arrival arrival, JsonValue payload) throws JournalException {
            starts++;
            if (fault.isPresent()) {
                switch (fault.get()) {
                    case JournalException e -> throw e;
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    default -> throw new AssertionError(fault);
                }
            }
            return launched.orElseThrow();
        }

        @Override
        public Optional<Launched> before(Trigger trigger, Arrival arrival) {
            return before;
        }
    }

    private static OpenTick tick(Instant claimedAt, Optional<Instant> firstTried) {
        return OpenTickExamples.tick("acme", 0, claimedAt, firstTried);
    }

    private static OpenTick fresh() {
        return tick(NOW.minusSeconds(1), Optional.empty());
    }

    /** Tried for more than an hour. */
    private static OpenTick tired() {
        return tick(NOW.minusSeconds(4_000), Optional.of(NOW.minusSeconds(3_700)));
    }

    private Result over(OpenTick tick) {
        return assertInstanceOf(Ended.Over.class, attempt.at(tick, NOW)).result();
    }

    @Test
    void whatIsStartedIsOver() {
        starter.launched = Optional.of(STARTED);
        assertEquals(Result.started(RUN), over(fresh()));
    }

    @Test
    void whatCannotBeNowIsTriedForAnHourFromTheFirstAttemptOn() {
        starter.launched = Optional.of(BUSY);
        OpenTick untried = tick(NOW.minus(Duration.ofHours(3)), Optional.empty());

        assertInstanceOf(Ended.Later.class, attempt.at(fresh(), NOW));
        assertInstanceOf(Ended.Later.class, attempt.at(untried, NOW), "nobody has tried it");
        assertEquals(Optional.of("BUSY"), over(tired()).code());
    }

    @Test
    void itsTenantStaysAwayAsLongAsItIsTold() {
        starter.launched = Optional.of(answered(new StartAnswer.OverQuota("much", Duration.ofSeconds(7))));
        assertEquals(new Ended.Later(Duration.ofSeconds(7), true), attempt.at(fresh(), NOW));
    }

    /** Its answer was lost, or its node. */
    @Test
    void beforeItIsRefusedSomebodyLooksWhetherItWasStarted() {
        starter.before = Optional.of(FOUND);
        for (Launched now : new Launched[] {new Launched.Off(), new Launched.Ignored("no"), new Launched.Untold("?")}) {
            starter.launched = Optional.of(now);
            assertEquals(Result.repeated(RUN), over(fresh()), now.toString());
        }
        starter.launched = Optional.of(BUSY);
        assertEquals(Result.repeated(RUN), over(tired()));
        starter.before = Optional.empty();
        starter.launched = Optional.of(new Launched.Off());
        assertEquals(Outcome.REFUSED, over(fresh()).outcome());
    }

    /** Receipts are kept for days: what is older could start twice. */
    @Test
    void whatIsADayOldIsLookedForAndNotStarted() {
        starter.launched = Optional.of(STARTED);
        OpenTick old = tick(NOW.minus(Duration.ofHours(25)), Optional.empty());

        assertEquals(Optional.of("UNAVAILABLE"), over(old).code());
        starter.before = Optional.of(FOUND);
        assertEquals(Result.repeated(RUN), over(old));
        assertEquals(0, starter.starts);
    }

    @Test
    void whateverFailsIsTriedAnHourAndNoLonger() {
        for (Throwable fault : new Throwable[] {
            new JournalException.Unavailable("down"), new IllegalStateException("a bug"), new StackOverflowError()
        }) {
            starter.fault = Optional.of(fault);
            assertInstanceOf(Ended.Later.class, attempt.at(fresh(), NOW), fault.toString());
            assertEquals(Outcome.REFUSED, over(tired()).outcome(), fault.toString());
        }
        starter.fault = Optional.of(new JournalException.BadData("no such text"));
        assertEquals(Optional.of("INVALID_REQUEST"), over(fresh()).code(), "it will never be otherwise");
    }

    @Test
    void oneWhoseTriggerCannotBeReadIsRefusedAfterAnHour() {
        assertInstanceOf(Ended.Later.class, attempt.at(OpenTickExamples.unreadable(fresh()), NOW));
        Result refused = over(OpenTickExamples.unreadable(tired()));
        assertEquals(Optional.of("INTERNAL"), refused.code());
        assertTrue(refused.detail().isPresent());
    }
}
