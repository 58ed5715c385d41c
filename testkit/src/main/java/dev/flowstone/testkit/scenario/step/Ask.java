package dev.flowstone.testkit.scenario.step;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks something of a run, as a caller outside does. It must be accepted, unless the step says with which code it is
 * {@code refused}.
 *
 * @param child calls that lead to the run that is asked, from the scenario's own
 * @param once an idempotency key
 * @param said the whole step, which a key stands for
 */
record Ask(
        Actor by, List<String> child, Optional<String> refused, Optional<String> once, JsonValue said, Request request)
        implements Step {
    private static final List<String> KEYS = List.of("by", "child", "refused", "once");
    private static final Actor TESTER = new Actor("user", "tester");

    Ask {
        requireNonNull(by);
        child = List.copyOf(child);
        requireNonNull(refused);
        requireNonNull(once);
        requireNonNull(said);
        requireNonNull(request);
    }

    /** What is asked, worked out when its time has come. */
    @FunctionalInterface
    interface Request {
        Asked of(Observed run, Stage stage) throws StepException;
    }

    /** A command and who gets it. */
    record Asked(RunId run, Command command) {
        Asked {
            requireNonNull(run);
            requireNonNull(command);
        }
    }

    /** A command for the run itself. */
    static Request ofRun(Function command) {
        return (run, _) -> new Asked(Activations.id(run), command.of(run));
    }

    /** What makes a command of what the run looks like. */
    @FunctionalInterface
    interface Function {
        Command of(Observed run) throws StepException;
    }

    /** The members of a step, beside those that every such step may have. */
    static Members members(Cursor value, String... own) {
        List<String> known = new ArrayList<>(List.of(own));
        known.addAll(KEYS);
        return value.members(known);
    }

    static Step of(Cursor value, Members members, Request request) {
        return new Ask(
                by(members),
                members.find("child")
                        .flatMap(Cursor::text)
                        .map(it -> List.of(it.split("/")))
                        .orElse(List.of()),
                members.find("refused").flatMap(Cursor::text),
                members.find("once").flatMap(Cursor::text),
                value.value(),
                request);
    }

    /** Who asks: {@code by}, or the tester. */
    static Actor by(Members members) {
        return members.find("by").flatMap(Cursor::text).map(Ask::actor).orElse(TESTER);
    }

    /** {@code ann} is a user; others are written {@code service:name}. */
    private static Actor actor(String text) {
        return text.indexOf(':') > 0 ? Actor.parse(text) : new Actor("user", text);
    }

    @Override
    public void perform(Stage stage) throws StepException {
        Asked asked = request.of(stage.observed(child), stage);
        judge(refusal(stage.call(asked.run(), asked.command(), by, once, said)), refused);
    }

    /**
     * Compares an answer with what the step expects.
     *
     * @param code code and reason of the refusal; empty if it was accepted
     */
    static void judge(String code, Optional<String> refused) throws StepException {
        String expected = refused.orElse("");
        String answer = code.indexOf(':') < 0 ? code : code.substring(0, code.indexOf(':'));
        if (!answer.equals(expected)) {
            throw new StepException(
                    expected.isEmpty()
                            ? "it was refused: " + code
                            : "it was to be refused with " + expected + ", but "
                                    + (code.isEmpty() ? "was accepted" : "was refused: " + code));
        }
    }

    /** Code and reason; empty if it was accepted. */
    private static String refusal(CallAnswer answer) {
        return switch (answer) {
            case CallAnswer.Done _, CallAnswer.Repeated _ -> "";
            case CallAnswer.OtherRequest _ -> "OTHER_REQUEST: that key was used for something else";
            case CallAnswer.Refused refused -> refused.code() + ": " + refused.reason();
            case CallAnswer.Busy busy -> "BUSY: " + busy.reason();
        };
    }
}
