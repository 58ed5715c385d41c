package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Ends a one-way attempt that was scheduled, durably, by a node that did not live to complete it. Which message it would have
 * sent says the event that scheduled it; whether it did says the database, and not what this node would send today: that node
 * may have known other destinations. One that sent nothing fails, permanently if its input is invalid here too.
 */
final class PostedBefore implements Supplier<TaskOutcome> {
    private final OneWayAction action;
    private final PostedMessages messages;
    private final RunHistory history;
    private final PayloadReader payloads;
    private final TaskOutcomes outcomes;
    private final RunKey run;
    private final WorkflowId workflow;
    private final String correlation;
    private final Attempt attempt;

    PostedBefore(
            OneWayAction action,
            PostedMessages messages,
            RunHistory history,
            PayloadReader payloads,
            TaskOutcomes outcomes,
            RunKey run,
            WorkflowId workflow,
            String correlation,
            Attempt attempt) {
        this.action = requireNonNull(action);
        this.messages = requireNonNull(messages);
        this.history = requireNonNull(history);
        this.payloads = requireNonNull(payloads);
        this.outcomes = requireNonNull(outcomes);
        this.run = requireNonNull(run);
        this.workflow = requireNonNull(workflow);
        this.correlation = requireNonNull(correlation);
        this.attempt = requireNonNull(attempt);
    }

    @Override
    public TaskOutcome get() {
        try {
            Optional<Event> scheduled = scheduled();
            if (scheduled.isEmpty()) {
                return TaskOutcome.failed(
                        FailureClass.RETRYABLE,
                        "MESSAGE_OF_ANOTHER_RUN",
                        "the message was sent by the run at whose past this one begins; the next attempt sends one of this run");
            }
            OutboxKey key = Post.key(run, scheduled.get().sequence());
            return messages.knows(key) ? outcomes.of(Post.sent(key)) : unsent(scheduled.get());
        } catch (JournalException e) {
            // What was sent can't be read just now. Given back, it uses up nothing, and the database paces the
            // repetition.
            return TaskOutcome.of(new TaskAnswer.Returned());
        } catch (CorruptHistoryException | IllegalStateException e) {
            return TaskOutcome.failed(FailureClass.PERMANENT, "UNREADABLE", String.valueOf(e.getMessage()));
        }
    }

    private TaskOutcome unsent(Event scheduled) throws JournalException {
        OneWayCall call = new OneWayCall(
                run,
                workflow,
                correlation,
                attempt.activation(),
                attempt.attempt(),
                payloads.resolve(run.tenant(), attempt.input()),
                scheduled.header().eventTime());
        Post post = Post.of(action, call, scheduled.sequence());
        return post.message().isPresent()
                ? TaskOutcome.failed(
                        FailureClass.RETRYABLE,
                        "MESSAGE_NOT_SENT",
                        "the node that scheduled this attempt could send no message for it; the next attempt sends one")
                : outcomes.of(post.result());
    }

    private Optional<Event> scheduled() throws JournalException {
        List<Event> found = new ArrayList<>(1);
        long _ = history.replay(run.tenant(), run.run(), 1, event -> {
            if (event.body() instanceof EventBody.TaskScheduled task
                    && task.activation().equals(attempt.activation())
                    && task.attempt() == attempt.attempt()) {
                found.add(event);
            }
        });
        return found.stream().findFirst();
    }
}
