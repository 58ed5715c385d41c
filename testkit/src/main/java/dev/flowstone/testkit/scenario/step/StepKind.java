package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The words that a {@code when} entry may begin with. One that can't run yet is known by name only, so that a file that
 * uses it is refused with a reason instead of a guess; it becomes one that can by a class and a reader here.
 */
public enum StepKind {
    ADVANCE("advance", Advance::read),
    ADVANCE_TO("advanceTo", ClockMove::read),
    EXPECT("expect", Expect::read),
    RESTART("restart", Restart::read),
    SIGNAL("signal", DataSteps::signal),
    BROADCAST("broadcast", DataSteps::broadcast),
    CLAIM("claim", PeopleSteps::claim),
    HEARTBEAT("heartbeat", PeopleSteps::heartbeat),
    RELEASE("release", PeopleSteps::release),
    DECIDE("decide", PeopleSteps::decide),
    REASSIGN("reassign", PeopleSteps::reassign),
    DELEGATE("delegate", PeopleSteps::delegate),
    RESOLVE("resolve", PeopleSteps::resolve),
    ATTEST("attest", PeopleSteps::attest),
    COMPLETE("complete", TaskSteps::complete),
    FAIL("fail", TaskSteps::fail),
    SET_VARIABLES("setVariables", DataSteps::setVariables),
    SUBJECT("subject", DataSteps::subject),
    SUSPEND("suspend", "suspending runs"),
    RESUME("resume", "resuming runs"),
    DRAIN("drain", "draining runs"),
    CANCEL("cancel", "canceling runs"),
    TERMINATE("terminate", "terminating runs"),
    ROLLBACK("rollback", "rolling back"),
    INCIDENT("incident", "resolving incidents"),
    FORCE_FIRE("forceFire", "firing timers"),
    MIGRATE("migrate", "migrating runs");

    private final String word;
    // Only ever a method of a class, which holds nothing.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Cursor, Optional<Step>> reader;

    private final String about;

    StepKind(String word, Function<Cursor, Optional<Step>> reader) {
        this.word = word;
        this.reader = reader;
        this.about = "";
    }

    StepKind(String word, String about) {
        this.word = word;
        this.reader = this::refuse;
        this.about = about;
    }

    public String word() {
        return word;
    }

    /** Whether this release can do it. */
    public boolean runs() {
        return about.isEmpty();
    }

    /** A step and where it stands. */
    public record Placed(StepKind kind, int line, Step step) {}

    /** Reads a whole {@code when}, as far as it can be read. */
    public static List<Placed> readAll(Cursor value) {
        List<Placed> steps = new ArrayList<>();
        for (Cursor item : value.items()) {
            read(item).ifPresent(steps::add);
        }
        return steps;
    }

    private static Optional<Placed> read(Cursor item) {
        Members members = item.members(words());
        if (members.all().size() != 1) {
            item.fault("a step is an object with one key, such as {advance: PT1H}");
            return Optional.empty();
        }
        Cursor value = members.all().values().iterator().next();
        Optional<StepKind> kind = Arrays.stream(values())
                .filter(it -> it.word.equals(value.name()))
                .findFirst();
        return kind.flatMap(it -> it.reader.apply(value))
                .map(step -> new Placed(kind.orElseThrow(), item.line(), step));
    }

    private Optional<Step> refuse(Cursor value) {
        value.faults()
                .atName(
                        value.pointer(),
                        "'" + word + "' can't run yet: this Flowstone knows nothing of " + about + "; it runs "
                                + String.join(", ", running()));
        return Optional.empty();
    }

    private static List<String> words() {
        return Arrays.stream(values()).map(StepKind::word).toList();
    }

    private static List<String> running() {
        return Arrays.stream(values())
                .filter(StepKind::runs)
                .map(StepKind::word)
                .toList();
    }
}
