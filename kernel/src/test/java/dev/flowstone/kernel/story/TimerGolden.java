package dev.flowstone.kernel.story;

import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Due.Missed;
import dev.flowstone.kernel.program.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Histories of timers, and of cycles and scopes inside each other; see {@link GoldenTest}. */
final class TimerGolden {
    static final Map<String, Supplier<Story>> STORIES = Map.of(
            "timer-instant", TimerGolden::instant,
            "timer-every-once", TimerGolden::once,
            "timer-every-backlog", TimerGolden::backlog,
            "timer-schedule-skips", TimerGolden::skips,
            "timer-refused", TimerGolden::refused,
            "timer-in-scope", TimerGolden::inScope,
            "cycle-of-choices", TimerGolden::cycle,
            "scopes-inside-each-other", TimerGolden::nested);

    private TimerGolden() {}

    private static Story instant() {
        return Story.of(RecurringStoryTest.timer(
                                Programs.dag(), "at", new Due.At(new JsonString("2026-11-27T14:00:00+01:00")))
                        .task("a")
                        .chain("start", "at", "a"))
                .start()
                .later(Duration.ofMinutes(61))
                .fire("at#1", 1)
                .ok("a");
    }

    /** Late while it waits, late when it is visited again; open in the end. */
    private static Story once() {
        return Story.of(RecurringStoryTest.loop(RecurringStoryTest.every("PT1H", Missed.ONCE)))
                .start()
                .later(Duration.ofMinutes(200))
                .fire("tick#1", 1)
                .later(Duration.ofMinutes(120))
                .ok("work")
                .ok("work");
    }

    private static Story backlog() {
        return Story.of(RecurringStoryTest.loop(RecurringStoryTest.cron("13:00", "Europe/Berlin", Missed.ALL)))
                .start()
                .later(Duration.ofDays(2))
                .fire("tick#1", 1)
                .ok("work")
                .fire("tick#2", 1)
                .ok("work");
    }

    private static Story skips() {
        return Story.of(RecurringStoryTest.loop(RecurringStoryTest.cron("13:00", "America/New_York", Missed.SKIP)))
                .start()
                .later(Duration.ofDays(2))
                .fire("tick#1", 1)
                .later(Duration.ofHours(6).plusSeconds(30))
                .fire("tick#1", 2)
                .later(Duration.ofDays(3))
                .ok("work");
    }

    /** Each for another reason; the last one is unhandled. */
    private static Story refused() {
        Programs program = Programs.flow().end("end");
        RecurringStoryTest.timer(program, "one", RecurringStoryTest.cron("25:00", "UTC", Missed.ONCE));
        RecurringStoryTest.timer(program, "two", RecurringStoryTest.cron("never", "UTC", Missed.ONCE));
        RecurringStoryTest.timer(program, "three", RecurringStoryTest.every("PT0S", Missed.ONCE));
        RecurringStoryTest.timer(program, "four", new Due.At(new JsonString("tomorrow")));
        return Story.of(program.edge("start", "one")
                        .on(Outcome.FAILURE, "one", "two")
                        .on(Outcome.FAILURE, "two", "three")
                        .on(Outcome.FAILURE, "three", "four")
                        .edge("four", "end"))
                .start();
    }

    /** Its grid ends with the scope. */
    private static Story inScope() {
        Programs program = Programs.flow().task("between").settlingScope("slot", "tick", "tick", "between");
        return Story.of(RecurringStoryTest.timer(program, "tick", RecurringStoryTest.every("PT1H", Missed.ONCE))
                        .edge("start", "tick")
                        .edge("tick", "between")
                        .edge("between", "tick"))
                .start()
                .later(Duration.ofHours(1))
                .fire("tick#1", 1)
                .later(Duration.ofMinutes(20))
                .ok("between")
                .later(Duration.ofMinutes(70))
                .fire("tick#2", 1);
    }

    /** A review that sends back twice before it lets go. */
    private static Story cycle() {
        return Story.of(Programs.flow()
                        .task("write")
                        .task("review")
                        .choice("good")
                        .end("done")
                        .chain("start", "write", "review", "good")
                        .edge("good", "done", "context.data.review=1")
                        .edge("good", "write", "context.data.review=0"))
                .start()
                .ok("write")
                .ok("review", 0)
                .ok("write")
                .ok("review", 0)
                .ok("write")
                .ok("review", 1);
    }

    /** The inner one is left by an exit that closes both. */
    private static Story nested() {
        return Story.of(Programs.flow()
                        .task("after")
                        .flowScope("outer", "root", "out")
                        .task("out")
                        .flowScope("inner", "outer", "in")
                        .task("in")
                        .edge("start", "out")
                        .edge("out", "in")
                        .on(Outcome.FAILURE, "in", "after")
                        .edge("in", "out")
                        .edge("after", "out"))
                .start()
                .ok("out")
                .ok("in")
                .ok("out")
                .failForGood("in")
                .ok("after")
                .answer("out", new TaskAnswer.TimedOut());
    }
}
