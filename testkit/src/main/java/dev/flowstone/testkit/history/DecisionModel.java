package dev.flowstone.testkit.history;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One open question, which the first decision answers for ever.
 *
 * <pre>
 *  open ── Decide: Accepted(sequence) ─▶ made ─┐ the same request: Duplicate(sequence)
 *   ▲ │                                   ▲    │ another choice under its id: OtherRequest
 *   └─┘ Read: Undecided                   └────┘ another request: AlreadyDecided(choice), or TooLate
 *                                                Read: Decided(choice)
 * </pre>
 *
 * <p>A request that was refused leaves nothing behind: when it comes again, it is told what the state says then. The model knows
 * nothing of quorums, nor of somebody who decides the same twice under two ids: each request has to come from somebody else.
 */
public final class DecisionModel
        implements SequentialModel<DecisionModel.State, DecisionModel.Ask, DecisionModel.Answer> {
    /** One of the answers that the question allows. */
    public record Choice(String name) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** What is asked. */
    public sealed interface Ask {
        Target target();

        /** Makes the decision, unless it is made. */
        record Decide(Target target, RequestId request, Choice choice) implements Ask {}

        /** Wants to know it. */
        record Read(Target target) implements Ask {}
    }

    /** What is answered. */
    public sealed interface Answer {
        /**
         * To a decision: it is the one that counts.
         *
         * @param sequence of the run when it was recorded; any, but the same whenever it is told
         */
        record Accepted(long sequence) implements Answer {}

        /** To a decision: it was accepted before, by the same request. */
        record Duplicate(long sequence) implements Answer {}

        /** To a decision: another one came first. */
        record AlreadyDecided(Choice choice) implements Answer {}

        /** The same, without saying which. */
        record TooLate() implements Answer {}

        /** To a decision: its id is that of another one, which was accepted. */
        record OtherRequest() implements Answer {}

        /** To a reader. */
        record Undecided() implements Answer {}

        /** To a reader. */
        record Decided(Choice choice) implements Answer {}
    }

    /** What is known of the question. */
    public sealed interface State {
        /** Nobody has decided. */
        record Open() implements State {}

        /**
         * Somebody has.
         *
         * @param sequence empty as long as no answer has told it
         */
        record Made(RequestId by, Choice choice, OptionalLong sequence) implements State {
            public Made {
                requireNonNull(by);
                requireNonNull(choice);
                requireNonNull(sequence);
            }

            Made at(long told) {
                return new Made(by, choice, OptionalLong.of(told));
            }
        }
    }

    @Override
    public State initial() {
        return new State.Open();
    }

    @Override
    public Optional<State> step(State state, Ask input, Answer output) {
        return switch (input) {
            case Ask.Read _ -> isRead(state, output) ? Optional.of(state) : Optional.empty();
            case Ask.Decide decide -> decide(state, decide, output);
        };
    }

    @Override
    public List<State> steps(State state, Ask input) {
        return state instanceof State.Open && input instanceof Ask.Decide decide
                ? List.of(new State.Made(decide.request(), decide.choice(), OptionalLong.empty()))
                : List.of(state);
    }

    private static boolean isRead(State state, Answer output) {
        return switch (state) {
            case State.Open _ -> output instanceof Answer.Undecided;
            case State.Made made -> output.equals(new Answer.Decided(made.choice()));
        };
    }

    private static Optional<State> decide(State state, Ask.Decide decide, Answer output) {
        return switch (state) {
            case State.Open _ ->
                output instanceof Answer.Accepted accepted
                        ? Optional.of(
                                new State.Made(decide.request(), decide.choice(), OptionalLong.of(accepted.sequence())))
                        : Optional.empty();
            case State.Made made ->
                made.by().equals(decide.request()) ? repeat(made, decide.choice(), output) : refuse(made, output);
        };
    }

    private static Optional<State> repeat(State.Made made, Choice choice, Answer output) {
        if (!choice.equals(made.choice())) {
            return output instanceof Answer.OtherRequest ? Optional.of(made) : Optional.empty();
        }
        return output instanceof Answer.Duplicate duplicate
                        && made.sequence().orElse(duplicate.sequence()) == duplicate.sequence()
                ? Optional.of(made.at(duplicate.sequence()))
                : Optional.empty();
    }

    private static Optional<State> refuse(State.Made made, Answer output) {
        boolean fits = output instanceof Answer.TooLate || output.equals(new Answer.AlreadyDecided(made.choice()));
        return fits ? Optional.of(made) : Optional.empty();
    }
}
