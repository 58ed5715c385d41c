package dev.flowstone.dialect.states.format;

import dev.flowstone.dialect.states.format.Shape.Anything;
import dev.flowstone.dialect.states.format.Shape.Decimal;
import dev.flowstone.dialect.states.format.Shape.Either;
import dev.flowstone.dialect.states.format.Shape.Flag;
import dev.flowstone.dialect.states.format.Shape.Items;
import dev.flowstone.dialect.states.format.Shape.Named;
import dev.flowstone.dialect.states.format.Shape.Ref;
import dev.flowstone.dialect.states.format.Shape.Text;
import dev.flowstone.dialect.states.format.Shape.Time;
import dev.flowstone.dialect.states.format.Shape.Whole;
import dev.flowstone.dialect.states.format.Shape.Word;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The format's table: every kind of object with its properties. Reader and published schema both come from it. */
public final class Format {
    /** What {@code $schema} says for this dialect. */
    public static final String SCHEMA = "https://flowstone.dev/schema/states-1.json";

    /** What a state does; at most one of them. */
    public static final List<String> BODIES = List.of(
            "task",
            "tasks",
            "human",
            "wait",
            "send",
            "call",
            "timer",
            "assign",
            "parallel",
            "forEach",
            "acquire",
            "release",
            "end");

    static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,59}";
    static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]{0,59}";
    static final Map<String, Kind> KINDS = kinds();
    static final String ROOT = "workflow";

    private static final int MANY = 1_000;

    private Format() {}

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        List.of(
                        FormatSections.workflow(),
                        FormatSections.variable(),
                        FormatSections.role(),
                        FormatSections.semaphore(),
                        FormatSections.policy(),
                        FormatSections.policyRule(),
                        FormatSections.subworkflow(),
                        FormatSections.trigger(),
                        FormatSections.triggerSignal(),
                        FormatSections.suspend(),
                        FormatSections.progress(),
                        FormatSections.milestone(),
                        state(),
                        transition(),
                        recheck(),
                        hold(),
                        step(),
                        FormatBodies.retry(),
                        FormatBodies.compensation(),
                        FormatBodies.human(),
                        FormatBodies.escalationStep(),
                        FormatBodies.assignee(),
                        FormatBodies.quorum(),
                        FormatBodies.signal(),
                        FormatBodies.send(),
                        FormatBodies.call(),
                        FormatBodies.timer(),
                        FormatBodies.parallel(),
                        FormatBodies.forEach(),
                        FormatBodies.branch(),
                        FormatBodies.join(),
                        FormatBodies.end(),
                        FormatBodies.rule(),
                        FormatBodies.operand())
                .forEach(kind -> kinds.put(kind.name(), kind));
        return kinds;
    }

    private static Kind state() {
        Kind.Builder state = Kind.of("state", "a state");
        bodies(state);
        return state.may("next", name(), "Where a run goes on success when no transition was taken.")
                .may("transitions", list("transition"), "Where a run goes on, in this order.")
                .build();
    }

    /** What a state, and a branch that is one, may have. */
    static void bodies(Kind.Builder state) {
        state.may("description", text(10_000), "For people.")
                .may("policies", new Items(name(), 1, 50), "Policies that must allow it before the state is entered.")
                .may("semaphore", new Either(List.of(name(), new Ref("hold"))), "Held while a run is in this state.")
                .may("concurrency", new Whole(1, 1_000_000), "How many runs may be in this state at once.")
                .may("onEnter", list("step"), "Done when the state is entered.")
                .may("task", new Ref("step"), "Work by a handler.")
                .may("tasks", list("step"), "Work by handlers, one after another.")
                .may("human", new Ref("human"), "People decide.")
                .may("wait", new Ref("signal"), "Waits for a signal.")
                .may("send", new Ref("send"), "Sends a signal.")
                .may("call", new Ref("call"), "Runs another workflow.")
                .may("timer", new Ref("timer"), "Waits for a time.")
                .may("assign", new Named(new Anything(), 200), "Writes variables; values are templates.")
                .may("parallel", new Ref("parallel"), "Branches that run side by side.")
                .may("forEach", new Ref("forEach"), "One branch for each element of a list.")
                .may("acquire", new Ref("hold"), "Takes permits of a semaphore and keeps them.")
                .may("release", name(), "Gives back what the state of this name acquired.")
                .may("end", new Ref("end"), "The path ends here.")
                .may("onExit", list("step"), "Done when the state is left.")
                .may("recheck", new Ref("recheck"), "Waits and looks again while no transition holds.")
                .may("timeout", duration(), "How long a run may be in this state; then outcome 'timeout'.")
                .may("calendar", name(), "The business calendar that the timeout is meant in.")
                .atMostOne(BODIES);
    }

    private static Kind transition() {
        return Kind.of("transition", "a transition")
                .must("to", name(), "The state to go to; one of the same branch, or of one around it.")
                .may("on", outcome(), "The outcome that it is for; else success, or any decision of people.")
                .may("when", condition(), "It is taken only if this holds.")
                .may("else", new Flag(), "Taken when no other transition of its outcome was.")
                .may("description", text(10_000), "For people.")
                .build();
    }

    private static Kind recheck() {
        return Kind.of("recheck", "'recheck'")
                .must("signal", text(200), "The signal after which the transitions are looked at again.")
                .may("key", text(4_000), "The signal's correlation key, a template.")
                .may("every", duration(), "Looks again after this long, too.")
                .build();
    }

    private static Kind hold() {
        return Kind.of("hold", "a hold of a semaphore")
                .must("semaphore", name(), "Its name in 'semaphores'.")
                .may("permits", new Whole(1, 1_000_000), "How many; 1 unless told.")
                .build();
    }

    private static Kind step() {
        return Kind.of("step", "a step")
                .may("id", name(), "Names its output: context.data['id'].")
                .may("action", text(200), "The handler, such as core.echo.")
                .may("assign", new Named(new Anything(), 200), "Writes variables; values are templates.")
                .may("send", new Ref("send"), "Sends a signal.")
                .may("description", text(10_000), "For people.")
                .may("input", new Anything(), "A template, rendered when the step begins.")
                .may("timeout", fixed(), "Of one attempt; 5 minutes unless told.")
                .may("retry", new Ref("retry"), "How often and how patiently it is tried.")
                .may("rerender", new Flag(), "Whether each attempt renders the input again.")
                .may("sideEffects", new Flag(), "False if there is nothing to undo; true unless told.")
                .may(
                        "compensation",
                        new Either(List.of(name(), new Ref("compensation"))),
                        "What undoes it: a name in 'compensations', or one of its own.")
                .exactlyOne("action", "assign", "send")
                .build();
    }

    static Shape name() {
        return new Text(60, NAME, "a-name");
    }

    static Shape outcome() {
        return new Text(60, NAME, "approve");
    }

    static Shape text(int most) {
        return new Text(most, "", "");
    }

    /** A duration, or a template of one. */
    static Shape duration() {
        return new Time(Time.Of.DURATION, true);
    }

    /** A duration that isn't nothing, or a template of one. */
    static Shape span() {
        return new Time(Time.Of.SPAN, true);
    }

    /** An instant, or a template of one. */
    static Shape instant() {
        return new Time(Time.Of.INSTANT, true);
    }

    /** A duration that is known beforehand. */
    static Shape fixed() {
        return new Time(Time.Of.DURATION, false);
    }

    /** An expression, or a rule. */
    static Shape condition() {
        return new Either(List.of(text(4_096), new Ref("rule")));
    }

    static Shape list(String kind) {
        return new Items(new Ref(kind), 0, MANY);
    }

    static Shape word(String... allowed) {
        return new Word(List.of(allowed));
    }

    static Shape number(double least, double most) {
        return new Decimal(least, most);
    }
}
