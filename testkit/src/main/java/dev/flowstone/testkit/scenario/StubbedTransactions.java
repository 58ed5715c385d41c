package dev.flowstone.testkit.scenario;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.testkit.scenario.check.ObservedSubject;
import dev.flowstone.testkit.scenario.file.Stub;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A scenario's transactions: the database's own, and around them whatever a stub says of theirs. Somebody else comes before,
 * the connection breaks in the COMMIT, it takes its time: each happens once to an attempt, whichever node makes it.
 */
final class StubbedTransactions implements Transactions {
    private final Transactions database;
    private final StubbedSubject subject;
    private final Function<TransactionRequest, Optional<Stub.Answer>> stubs;
    private final VirtualClock clock;
    private final Set<InboxKey> overtaken = new HashSet<>();
    private final List<String> impossible = new ArrayList<>();

    /** Attempts whose COMMIT broke, and until when the database can't be asked what became of it. */
    private final Map<InboxKey, Instant> broken = new HashMap<>();

    StubbedTransactions(
            Transactions database,
            StubbedSubject subject,
            Function<TransactionRequest, Optional<Stub.Answer>> stubs,
            VirtualClock clock) {
        this.database = requireNonNull(database);
        this.subject = requireNonNull(subject);
        this.stubs = requireNonNull(stubs);
        this.clock = requireNonNull(clock);
    }

    /** What stubs say and can't be. */
    List<String> impossible() {
        return List.copyOf(impossible);
    }

    @Override
    public Outcome execute(TransactionRequest request, Work work) throws Exception {
        Optional<Stub.Answer> answer = stubs.apply(request);
        if (answer.isPresent()) {
            pass(answer.get().after(), request);
            if (answer.get().reply() instanceof Stub.Reply.Stale stale) {
                overtake(request, stale);
            }
            Optional<Stub.Break> breaks = answer.get().work().breaks();
            if (breaks.isPresent() && !broken.containsKey(key(request))) {
                return breaks(request, work, breaks.get());
            }
        }
        return store(request, work);
    }

    /** So long it waits before it has the subject; others may still come before it. */
    private void pass(Duration takes, TransactionRequest request) {
        Duration most = request.timeout().compareTo(LONGEST) < 0 ? request.timeout() : LONGEST;
        boolean tooLong = takes.compareTo(most) > 0;
        if (!takes.isZero()) {
            sleep(tooLong ? most : takes);
        }
        if (tooLong) {
            throw new MutationException(FailureClass.RETRYABLE, MutationException.TIMEOUT, "it took too long");
        }
    }

    private void sleep(Duration time) {
        try {
            HandlerThreads.sleepUntil(clock.now().plus(time));
        } catch (InterruptedException e) {
            throw new MutationException(FailureClass.RETRYABLE, "INTERRUPTED", "it was interrupted and not committed");
        }
    }

    private void overtake(TransactionRequest request, Stub.Reply.Stale stale) {
        if (overtaken.add(key(request))) {
            String refusal = subject.edit(stale.sets(), Optional.empty(), Optional.empty());
            if (!refusal.isEmpty()) {
                impossible.add(
                        request.activation() + " is to be stale, but nobody can edit the subject then: " + refusal);
            }
        }
    }

    /** The connection breaks once the COMMIT is on its way; whatever fails before that fails as ever. */
    private Outcome breaks(TransactionRequest request, Work work, Stub.Break how) throws Exception {
        Outcome outcome;
        try {
            outcome = store(request, how.done() ? work : new Lost(work));
        } catch (LostException e) {
            broken.put(key(request), clock.now().plus(how.unknownFor()));
            throw new JournalException.UnknownOutcome("the connection broke in the COMMIT", e);
        }
        if (outcome instanceof Outcome.Recorded) {
            broken.put(key(request), clock.now().plus(how.unknownFor()));
            throw new JournalException.UnknownOutcome("the connection broke in the COMMIT");
        }
        return outcome;
    }

    private Outcome store(TransactionRequest request, Work work) throws Exception {
        Watched watched = new Watched(work);
        Outcome outcome = database.execute(request, watched);
        if (outcome instanceof Outcome.Recorded recorded && watched.ran) {
            subject.commit(
                    new ObservedSubject.Attempt(request.activation(), request.attempt()),
                    TransactionMessage.read(recorded.message().content()).subjectVersion());
        }
        return outcome;
    }

    @Override
    public Optional<Outcome.Recorded> find(TransactionRequest request) throws Exception {
        if (clock.now().isBefore(broken.getOrDefault(key(request), Instant.MIN))) {
            throw new JournalException.Unavailable("the database can't be asked yet");
        }
        return database.find(request);
    }

    @Override
    public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) throws JournalException {
        return database.recorded(lease, keys);
    }

    @Override
    public int atOnce() {
        return database.atOnce();
    }

    private static InboxKey key(TransactionRequest request) {
        return TransactionRequest.key(request.run(), request.activation(), request.attempt());
    }

    /** Tells whether the handler has done its part now, and not before. */
    private static final class Watched implements Work {
        private final Work work;
        private boolean ran;

        Watched(Work work) {
            this.work = work;
        }

        @Override
        public void lock(SubjectTransaction transaction) throws Exception {
            work.lock(transaction);
        }

        @Override
        public TaskResult run(SubjectTransaction transaction) throws Exception {
            ran = true;
            return work.run(transaction);
        }

        @Override
        public boolean mayCommit() {
            return work.mayCommit();
        }
    }

    /** Does everything, and is lost where it would be committed. */
    private record Lost(Work work) implements Work {
        @Override
        public void lock(SubjectTransaction transaction) throws Exception {
            work.lock(transaction);
        }

        @Override
        public TaskResult run(SubjectTransaction transaction) throws Exception {
            TaskResult result = work.run(transaction);
            if (result instanceof TaskResult.Ok && work.mayCommit()) {
                throw new LostException();
            }
            return result;
        }

        @Override
        public boolean mayCommit() {
            return work.mayCommit();
        }
    }

    /** Undoes a transaction. */
    private static final class LostException extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
