package dev.flowstone.testkit.scenario.check;

import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code then} and {@code expect}. A key to come is a line here and a class. */
public enum CheckKind {
    STATUS("status", StatusCheck::read),
    OUTPUT("output", OutputCheck::exact),
    OUTPUT_CONTAINS("outputContains", OutputCheck::subset),
    ERROR("error", ErrorCheck::read),
    PATH("path", PathCheck::read),
    VISITED("visited", NodesCheck::visited),
    SKIPPED("skipped", NodesCheck::skipped),
    FAILED("failed", NodesCheck::failed),
    EVENTS("events", EventsCheck::read),
    CALLS("calls", CallsCheck::read),
    TIMERS("timers", TimersCheck::read),
    TASKS("tasks", ListingCheck::tasks),
    AWAITS("awaits", ListingCheck::awaits),
    INCIDENTS("incidents", ListingCheck::incidents),
    VARIABLES("variables", VariablesCheck::read),
    CHILDREN("children", ChildrenCheck::read),
    RESET_FROM("resetFrom", ResetFromCheck::read),
    SIGNALS("signals", SignalsCheck::read),
    SUBJECT("subject", SubjectCheck::read),
    PROGRESS("progress", ProgressCheck::read),
    IF_RESUMED("ifResumed", ResumeCheck::read),
    WITHIN("within", TimeCheck::within),
    TOOK("took", TimeCheck::took);

    private final String key;
    // Only ever a method of a class, which holds nothing.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Cursor, Optional<? extends Check>> reader;

    CheckKind(String key, Function<Cursor, Optional<? extends Check>> reader) {
        this.key = key;
        this.reader = reader;
    }

    public String key() {
        return key;
    }

    /** In the order of this table. */
    public static List<String> keys() {
        return Arrays.stream(values()).map(CheckKind::key).toList();
    }

    /** Empty if it can't be read, which then is a fault. */
    Optional<? extends Check> read(Cursor value) {
        return reader.apply(value);
    }
}
