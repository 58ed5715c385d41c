package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.function.Supplier;

/**
 * Makes one attempt in a transaction with its run's subject, and turns whatever comes of it into an outcome. If nobody
 * knows whether it was committed it is made again, which finds it done or does it: never twice.
 */
final class TransactionCall implements Supplier<TaskOutcome> {
    private static final int TRIES = 3;

    private final TransactionalHandler handler;
    private final PayloadReader payloads;
    private final TaskOutcomes outcomes;
    private final Links links;
    private final Transactions transactions;
    private final Lease lease;
    private final RunState state;
    private final Attempt attempt;

    TransactionCall(
            TransactionalHandler handler,
            PayloadReader payloads,
            TaskOutcomes outcomes,
            Links links,
            Transactions transactions,
            Lease lease,
            RunState state,
            Attempt attempt) {
        this.handler = requireNonNull(handler);
        this.payloads = requireNonNull(payloads);
        this.outcomes = requireNonNull(outcomes);
        this.links = requireNonNull(links);
        this.transactions = requireNonNull(transactions);
        this.lease = requireNonNull(lease);
        this.state = requireNonNull(state);
        this.attempt = requireNonNull(attempt);
    }

    @Override
    public TaskOutcome get() {
        if (state.subject().isEmpty()) {
            return TaskOutcome.failed(
                    FailureClass.PERMANENT, "NO_SUBJECT", "the run was started without a subject to work on");
        }
        SubjectBinding binding = state.subject().get();
        TransactionRequest request = new TransactionRequest(
                lease,
                new RunKey(state.tenant(), state.run()),
                binding.subject(),
                state.subjectVersion().orElse(binding.version()),
                attempt.activation(),
                attempt.attempt(),
                attempt.timeout());
        try {
            return execute(request, new Handled(call(payloads.resolve(state.tenant(), attempt.input()))));
        } catch (MutationException e) {
            return TaskOutcome.failed(e.failure(), e.code(), e.reason());
        } catch (JournalException e) {
            // Given back, it uses up nothing, and the database paces the repetition.
            return TaskOutcome.of(new TaskAnswer.Returned());
        } catch (Exception | Error e) {
            return outcomes.threw(e);
        }
    }

    private TaskOutcome execute(TransactionRequest request, Handled work) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                return switch (transactions.execute(request, work)) {
                    case Transactions.Outcome.Recorded recorded -> TaskOutcome.recorded(recorded.message());
                    case Transactions.Outcome.Undone undone -> outcomes.of(undone.result());
                };
            } catch (JournalException.UnknownOutcome e) {
                if (tries >= TRIES) {
                    throw e;
                }
            }
        }
    }

    private TaskCall call(JsonValue input) {
        return new TaskCall(
                state.tenant(),
                state.program().workflow(),
                state.run(),
                state.correlation(),
                attempt.activation(),
                attempt.attempt(),
                attempt.handler(),
                input,
                attempt.key(),
                attempt.timeout(),
                links.of(state.tenant()));
    }

    /** The handler's part. */
    private final class Handled implements Transactions.Work {
        private final TaskCall call;

        Handled(TaskCall call) {
            this.call = call;
        }

        @Override
        public void lock(SubjectTransaction transaction) throws Exception {
            handler.lock(call, transaction.sql());
        }

        /** A success whose output no run may have is none: better now than when it is committed. */
        @Override
        public TaskResult run(SubjectTransaction transaction) throws Exception {
            TaskResult result = requireNonNull(handler.handle(call, transaction), "the handler answered null");
            return result instanceof TaskResult.Ok && outcomes.of(result).answer() instanceof TaskAnswer.Failed failed
                    ? new TaskResult.Failed(failed.failure(), failed.error(), failed.retryAfter())
                    : result;
        }
    }
}
