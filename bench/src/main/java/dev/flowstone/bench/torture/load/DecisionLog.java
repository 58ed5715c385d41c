package dev.flowstone.bench.torture.load;

import dev.flowstone.testkit.history.Call;
import dev.flowstone.testkit.history.DecisionModel;
import dev.flowstone.testkit.history.DecisionModel.Answer;
import dev.flowstone.testkit.history.DecisionModel.Ask;
import dev.flowstone.testkit.history.DecisionModel.Choice;
import dev.flowstone.testkit.history.History;
import dev.flowstone.testkit.history.Linearizability;
import dev.flowstone.testkit.history.Operation;
import dev.flowstone.testkit.history.Recorder;
import dev.flowstone.testkit.history.RequestId;
import dev.flowstone.testkit.history.Target;
import dev.flowstone.testkit.history.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What people were told who decided on the same runs at the same time, at whichever node, and what readers saw meanwhile. */
public final class DecisionLog {
    private final Recorder<Ask, Answer> recorder = new Recorder<>();

    Call<Ask, Answer> decide(String run, String person, String key, String outcome) {
        return recorder.invoke(person, new Ask.Decide(new Target(run), new RequestId(key), new Choice(outcome)));
    }

    Call<Ask, Answer> read(String run, String reader) {
        return recorder.invoke(reader, new Ask.Read(new Target(run)));
    }

    /**
     * Whether each run's history is linearizable.
     *
     * @param runs that were decided on
     * @param operations by all of them
     * @param unexplained those whose answers no order explains, each in lines for people
     * @param undecided how many were too long to say
     */
    public record Judgement(int runs, int operations, List<String> unexplained, int undecided) {
        public Judgement {
            unexplained = List.copyOf(unexplained);
        }
    }

    /** Of what has been told until now. */
    public Judgement judge() {
        History<Ask, Answer> history = recorder.history();
        Map<Target, Verdict<Ask, Answer>> verdicts = Linearizability.checkEach(
                history, DecisionLog::target, new DecisionModel(), Linearizability.MOST_STEPS);
        List<String> unexplained = new ArrayList<>();
        int undecided = 0;
        for (Map.Entry<Target, Verdict<Ask, Answer>> one : verdicts.entrySet()) {
            switch (one.getValue()) {
                case Verdict.Linearizable<Ask, Answer> _ -> {}
                case Verdict.Undecided<Ask, Answer> _ -> undecided++;
                case Verdict.NotLinearizable<Ask, Answer> not ->
                    unexplained.add(one.getKey() + ":\n" + String.join("\n", not.lines()));
            }
        }
        return new Judgement(verdicts.size(), history.operations().size(), unexplained, undecided);
    }

    /** Every operation that was told until now, a line each, in the order in which they were asked. */
    public List<String> lines() {
        return recorder.history().operations().stream()
                .sorted(Comparator.comparingLong(Operation::invokedAt))
                .map(Operation::toString)
                .toList();
    }

    private static Target target(Ask ask) {
        return ask.target();
    }
}
