package dev.flowstone.testkit.history;

import dev.flowstone.testkit.history.SequenceModel.Answer;
import dev.flowstone.testkit.history.SequenceModel.Ask;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.HashMap;
import java.util.Map;

/** A run to which is appended, of its own making, as {@link SequenceModel} describes them. */
final class SequenceMachine implements Machine<Ask, Answer> {
    private final Target target;
    private final Map<RequestId, Long> numbers = new HashMap<>();
    private int requests;

    SequenceMachine(Target target) {
        this.target = target;
    }

    @Override
    public Ask ask(Dice dice) {
        if (dice.percent(40)) {
            return new Ask.Read(target);
        }
        boolean again = requests > 0 && dice.percent(20);
        int request = again ? dice.below(requests) : requests++;
        return new Ask.Append(target, new RequestId("r" + request));
    }

    @Override
    public Answer answer(Ask input) {
        return switch (input) {
            case Ask.Read _ -> new Answer.Counted(numbers.size());
            case Ask.Append append -> append(append.request());
        };
    }

    private Answer append(RequestId request) {
        Long known = numbers.putIfAbsent(request, numbers.size() + 1L);
        return known == null ? new Answer.Appended(numbers.size()) : new Answer.Duplicate(known);
    }

    @Override
    public Answer any(Ask input, Dice dice) {
        return switch (input) {
            case Ask.Read _ -> new Answer.Counted(dice.below(4));
            case Ask.Append _ -> {
                int number = dice.between(1, 4);
                yield dice.percent(70) ? new Answer.Appended(number) : new Answer.Duplicate(number);
            }
        };
    }
}
