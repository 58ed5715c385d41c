package dev.flowstone.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is appended to one run gets the numbers 1, 2, 3 and so on, without a gap. A request that comes again is told the number
 * that it has. A reader is told how many there are.
 */
public final class SequenceModel
        implements SequentialModel<SequenceModel.State, SequenceModel.Ask, SequenceModel.Answer> {
    /** What is asked. */
    public sealed interface Ask {
        Target target();

        /** Appends, unless this request has. */
        record Append(Target target, RequestId request) implements Ask {}

        /** Counts. */
        record Read(Target target) implements Ask {}
    }

    /** What is answered. */
    public sealed interface Answer {
        /** It has this number now, from 1. */
        record Appended(long number) implements Answer {}

        /** It had this number before. */
        record Duplicate(long number) implements Answer {}

        /** To a reader: so many are there. */
        record Counted(long count) implements Answer {}
    }

    /** The requests that have appended, in order. */
    public record State(List<RequestId> appended) {
        public State {
            appended = List.copyOf(appended);
        }

        State with(RequestId request) {
            List<RequestId> more = new ArrayList<>(appended);
            more.add(request);
            return new State(more);
        }
    }

    @Override
    public State initial() {
        return new State(List.of());
    }

    @Override
    public Optional<State> step(State state, Ask input, Answer output) {
        return output.equals(answer(state, input)) ? Optional.of(after(state, input)) : Optional.empty();
    }

    @Override
    public List<State> steps(State state, Ask input) {
        return List.of(after(state, input));
    }

    private static Answer answer(State state, Ask input) {
        return switch (input) {
            case Ask.Read _ -> new Answer.Counted(state.appended().size());
            case Ask.Append append -> {
                int known = state.appended().indexOf(append.request());
                yield known < 0 ? new Answer.Appended(state.appended().size() + 1L) : new Answer.Duplicate(known + 1L);
            }
        };
    }

    private static State after(State state, Ask input) {
        return input instanceof Ask.Append append && !state.appended().contains(append.request())
                ? state.with(append.request())
                : state;
    }
}
