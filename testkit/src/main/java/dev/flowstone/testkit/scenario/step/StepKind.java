package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The words that a {@code when} entry may begin with, each with its reader.
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
    EDIT("edit", Edit::read),
    POLICY("policy", PublishPolicy::read),
    SUSPEND("suspend", ControlSteps::suspend),
    RESUME("resume", ControlSteps::resume),
    DRAIN("drain", ControlSteps::drain),
    CANCEL("cancel", ControlSteps::cancel),
    TERMINATE("terminate", ControlSteps::terminate),
    ROLLBACK("rollback", ControlSteps::rollback),
    INCIDENT("incident", ControlSteps::incident),
    FORCE_FIRE("forceFire", ControlSteps::forceFire),
    MIGRATE("migrate", ControlSteps::migrate),
    RESET("reset", Reset::read);

    private final String word;
    // Only ever a method of a class, which holds nothing.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Cursor, Optional<Step>> reader;

    StepKind(String word, Function<Cursor, Optional<Step>> reader) {
        this.word = word;
        this.reader = reader;
    }

    public String word() {
        return word;
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

    private static List<String> words() {
        return Arrays.stream(values()).map(StepKind::word).toList();
    }
}
