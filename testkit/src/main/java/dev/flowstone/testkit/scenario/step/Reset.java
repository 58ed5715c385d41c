package dev.flowstone.testkit.scenario.step;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.List;
import java.util.Optional;

/**
 * {@code reset: {after: NODE}}: a new run begins at a recorded point of this one, and the scenario goes on with it. The other
 * run goes on by itself.
 *
 * @param after the node, or the visit of it, that the new run finds just completed
 * @param sequence instead, the number of the last event that it begins with; if neither is said, the newest
 */
record Reset(
        Optional<String> after, Optional<Integer> sequence, Actor by, Optional<String> once, Optional<String> refused)
        implements Step {
    Reset {
        requireNonNull(after);
        requireNonNull(sequence);
        requireNonNull(by);
        requireNonNull(once);
        requireNonNull(refused);
    }

    static Optional<Step> read(Cursor value) {
        Members at = value.members(List.of("after", "sequence", "by", "once", "refused"));
        if (at.find("after").isPresent() && at.find("sequence").isPresent()) {
            value.fault("a point is either 'after' a node or after the event with that 'sequence'");
            return Optional.empty();
        }
        return Optional.of(new Reset(
                at.find("after").flatMap(Cursor::text),
                at.find("sequence").flatMap(Cursor::count),
                Ask.by(at),
                at.find("once").flatMap(Cursor::text),
                at.find("refused").flatMap(Cursor::text)));
    }

    @Override
    public void perform(Stage stage) throws StepException {
        Observed run = stage.observed(List.of());
        Activations.id(run);
        Ask.judge(stage.reset(point(run), by, once), refused);
    }

    private long point(Observed run) throws StepException {
        if (after.isEmpty()) {
            return sequence.map(Integer::longValue)
                    .orElseGet(() -> run.events().getLast().sequence());
        }
        ActivationId done = Activations.find(run, after.get());
        return run.events().stream()
                .filter(it -> it.body() instanceof EventBody.Transitioned moved
                        && moved.activation().equals(done))
                .mapToLong(Event::sequence)
                .findFirst()
                .orElseThrow(() -> new StepException("'" + after.get() + "' is not completed yet"));
    }
}
