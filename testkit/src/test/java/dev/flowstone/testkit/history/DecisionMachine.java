package dev.flowstone.testkit.history;

import dev.flowstone.testkit.history.DecisionModel.Answer;
import dev.flowstone.testkit.history.DecisionModel.Ask;
import dev.flowstone.testkit.history.DecisionModel.Choice;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.List;
import java.util.Optional;

/** An open question of its own making, as {@link DecisionModel} describes them. */
final class DecisionMachine implements Machine<Ask, Answer> {
    private static final long SEQUENCE = 7;
    private static final List<Choice> CHOICES = List.of(new Choice("yes"), new Choice("no"));

    private final Target target;
    private Optional<Ask.Decide> made = Optional.empty();

    DecisionMachine(Target target) {
        this.target = target;
    }

    @Override
    public Ask ask(Dice dice) {
        return dice.percent(60)
                ? new Ask.Read(target)
                : new Ask.Decide(target, new RequestId("r" + dice.below(4)), dice.pick(CHOICES));
    }

    @Override
    public Answer answer(Ask input) {
        return switch (input) {
            case Ask.Read _ ->
                made.<Answer>map(first -> new Answer.Decided(first.choice())).orElseGet(Answer.Undecided::new);
            case Ask.Decide decide -> {
                boolean first = made.isEmpty();
                if (first) {
                    made = Optional.of(decide);
                }
                yield first ? new Answer.Accepted(SEQUENCE) : later(made.orElseThrow(), decide);
            }
        };
    }

    private static Answer later(Ask.Decide first, Ask.Decide decide) {
        if (!first.request().equals(decide.request())) {
            return new Answer.AlreadyDecided(first.choice());
        }
        return first.equals(decide) ? new Answer.Duplicate(SEQUENCE) : new Answer.OtherRequest();
    }

    @Override
    public Answer any(Ask input, Dice dice) {
        Choice choice = dice.pick(CHOICES);
        List<Answer> answers = switch (input) {
            case Ask.Read _ -> List.of(new Answer.Undecided(), new Answer.Decided(choice));
            case Ask.Decide _ ->
                List.of(
                        new Answer.Accepted(SEQUENCE),
                        new Answer.Accepted(SEQUENCE + 1),
                        new Answer.Duplicate(SEQUENCE),
                        new Answer.Duplicate(SEQUENCE + 1),
                        new Answer.AlreadyDecided(choice),
                        new Answer.TooLate(),
                        new Answer.OtherRequest());
        };
        return dice.pick(answers);
    }
}
