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
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Makes one attempt in a transaction with its run's subject, and turns whatever comes of it into an outcome. If nobody
 * knows whether it was committed it is made again, which finds it done or does it: never twice. Until that is known its
 * run stays checked out, for its subject may have another version by now.
 */
final class TransactionCall implements Supplier<Optional<TaskOutcome>> {
    private final TransactionalHandler handler;
    private final PayloadReader payloads;
    private final TaskOutcomes outcomes;
    private final Transactions transactions;
    private final Lease lease;
    private final AttemptScope scope;
    private final RunState state;
    private final Attempt attempt;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.OPEN);
    private boolean unknown;
    private boolean givenBack;

    /** An attempt is either committed or given up: whoever is first decides. */
    private enum Stage {
        OPEN,
        COMMITTING,
        GIVEN_UP
    }

    TransactionCall(
            TransactionalHandler handler,
            PayloadReader payloads,
            TaskOutcomes outcomes,
            Transactions transactions,
            Lease lease,
            AttemptScope scope,
            RunState state,
            Attempt attempt) {
        this.handler = requireNonNull(handler);
        this.payloads = requireNonNull(payloads);
        this.outcomes = requireNonNull(outcomes);
        this.transactions = requireNonNull(transactions);
        this.lease = requireNonNull(lease);
        this.scope = requireNonNull(scope);
        this.state = requireNonNull(state);
        this.attempt = requireNonNull(attempt);
    }

    /** Whether it will never be committed from now on, so that it may be declared timed out. */
    boolean giveUp() {
        return stage.compareAndSet(Stage.OPEN, Stage.GIVEN_UP) || stage.get() == Stage.GIVEN_UP;
    }

    /** Goes on with it; empty if it is to be asked again after a pause. */
    @Override
    public Optional<TaskOutcome> get() {
        return scope.during(step -> made());
    }

    private Optional<TaskOutcome> made() {
        if (state.subject().isEmpty()) {
            return failed(FailureClass.PERMANENT, "NO_SUBJECT", "the run was started without a subject to work on");
        }
        if (givenBack) {
            return Optional.of(TaskOutcome.of(new TaskAnswer.Returned()));
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
            return Optional.of(execute(request));
        } catch (Exception | Error e) {
            unknown |= e instanceof JournalException.UnknownOutcome;
            // Nothing was done now; what was done before is still to be found out, unless that is somebody else's by
            // now.
            return unknown && !(e instanceof JournalException.StaleEpoch) ? Optional.empty() : failed(e);
        }
    }

    private TaskOutcome execute(TransactionRequest request) throws Exception {
        Optional<Transactions.Outcome.Recorded> before = unknown ? transactions.find(request) : Optional.empty();
        if (before.isPresent()) {
            return TaskOutcome.recorded(before.get().message());
        }
        notRecorded();
        Handled work = new Handled(call(payloads.resolve(state.tenant(), attempt.input())));
        return switch (transactions.execute(request, work)) {
            case Transactions.Outcome.Recorded recorded -> TaskOutcome.recorded(recorded.message());
            case Transactions.Outcome.Undone undone -> outcomes.of(undone.result());
        };
    }

    /** An earlier try was not committed, and the next one may be given up again. */
    private void notRecorded() {
        unknown = false;
        stage.compareAndSet(Stage.COMMITTING, Stage.OPEN);
    }

    private Optional<TaskOutcome> failed(Throwable thrown) {
        return switch (thrown) {
            case MutationException e -> failed(e.failure(), e.code(), e.reason());
            case JournalException.BadData e ->
                failed(FailureClass.PERMANENT, MutationException.REFUSED, String.valueOf(e.getMessage()));
            case JournalException _ -> {
                // The database is away. Given back, it uses up nothing; not at once, for that takes two events each
                // time.
                givenBack = true;
                yield Optional.empty();
            }
            default -> Optional.of(outcomes.threw(thrown));
        };
    }

    private static Optional<TaskOutcome> failed(FailureClass failure, String code, String message) {
        return Optional.of(TaskOutcome.failed(failure, code, message));
    }

    private TaskCall call(JsonValue input) {
        return TaskCall.of(
                state.tenant(),
                state.program().workflow(),
                state.run(),
                state.correlation(),
                attempt,
                input,
                JsonNull.NULL,
                TransactionCall::noLinks,
                RequesterLookup.UNKNOWN,
                () -> false,
                Optional.empty());
    }

    /** It would take a second connection while this one is held; and whoever makes nothing outside has nothing to find. */
    private static Optional<LinkLookup.Found> noLinks(String type, String key) {
        throw new MutationException(
                FailureClass.PERMANENT,
                MutationException.REFUSED,
                "a transactional task makes nothing outside, so it looks up no links; do that in a task before it");
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

        @Override
        public boolean mayCommit() {
            return stage.compareAndSet(Stage.OPEN, Stage.COMMITTING) || stage.get() == Stage.COMMITTING;
        }
    }
}
