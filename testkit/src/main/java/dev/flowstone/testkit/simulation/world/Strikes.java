package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.effect.Inbox;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Function;

/** What lies in wait for a node: each strikes once, at the next occasion, and is counted only then. */
public final class Strikes {
    private static final int MOST = 2;

    private final World world;
    private final ArrayDeque<Armed<OnCommit>> commits = new ArrayDeque<>();
    private final ArrayDeque<Armed<OnCall>> reads = new ArrayDeque<>();
    private final ArrayDeque<Armed<OnCall>> programs = new ArrayDeque<>();
    private final ArrayDeque<Armed<OnCall>> policies = new ArrayDeque<>();
    private final ArrayDeque<Armed<OnCall>> leases = new ArrayDeque<>();
    private final ArrayDeque<Armed<Function<TaskResult, Call>>> handlers = new ArrayDeque<>();

    private final ArrayDeque<Armed<OnTransaction>> transactions = new ArrayDeque<>();
    private final ArrayDeque<Armed<Post>> posts = new ArrayDeque<>();
    private final ArrayDeque<Armed<OnLetter>> letters = new ArrayDeque<>();

    Strikes(World world) {
        this.world = world;
    }

    private record Armed<T>(String fault, T strike) {}

    /** Makes a commit durable. */
    @FunctionalInterface
    public interface Store {
        Committed commit(Commit commit) throws JournalException;
    }

    /** Happens to a commit that moves runs, instead of it. */
    @FunctionalInterface
    public interface OnCommit {
        Committed strike(Commit commit, Store to) throws JournalException;
    }

    /** Happens to a transaction with a subject, instead of it. */
    @FunctionalInterface
    public interface OnTransaction {
        Transactions.Outcome strike(TransactionRequest request, Transactions.Work work, Execute to) throws Exception;
    }

    /** Makes a transaction. */
    @FunctionalInterface
    public interface Execute {
        Transactions.Outcome execute(TransactionRequest request, Transactions.Work work) throws Exception;
    }

    /** Happens before a call, which then doesn't take place. */
    @FunctionalInterface
    public interface OnCall {
        void strike() throws JournalException;
    }

    /**
     * What a call of a handler comes to.
     *
     * @param delay before it answers, on top of what it takes anyway
     * @param dies whether its node dies when it has had its effect
     */
    public record Call(TaskResult result, Duration delay, boolean dies) {}

    /**
     * What posting a letter comes to.
     *
     * @param delay before it arrives
     * @param again after so long it arrives once more; zero, it doesn't
     */
    public record Post(Duration delay, Duration again) {
        static final Post AT_ONCE = new Post(Duration.ZERO, Duration.ZERO);
    }

    /** Happens to a letter instead of its being stored. */
    @FunctionalInterface
    public interface OnLetter {
        boolean strike(InboxMessage letter, Inbox inbox) throws JournalException;
    }

    /** Each of these is false if enough lies in wait already. */
    public boolean onCommit(String fault, OnCommit strike) {
        return arm(commits, fault, strike);
    }

    /** Lies in wait on every node: transactions are rare. */
    public static boolean onAnyTransaction(World world, String fault, OnTransaction strike) {
        boolean armed = false;
        for (SimulatedNode node : world.nodes()) {
            armed |= arm(node.strikes().transactions, fault, strike);
        }
        return armed;
    }

    public boolean onRead(String fault, OnCall strike) {
        return arm(reads, fault, strike);
    }

    public boolean onProgram(String fault, OnCall strike) {
        return arm(programs, fault, strike);
    }

    /** Lies in wait on every node: policies are asked rarely. */
    public static boolean onAnyPolicy(World world, String fault, OnCall strike) {
        boolean armed = false;
        for (SimulatedNode node : world.nodes()) {
            armed |= arm(node.strikes().policies, fault, strike);
        }
        return armed;
    }

    public boolean onLease(String fault, OnCall strike) {
        return arm(leases, fault, strike);
    }

    public boolean onHandler(String fault, Function<TaskResult, Call> strike) {
        return arm(handlers, fault, strike);
    }

    private static <T> boolean arm(ArrayDeque<Armed<T>> where, String fault, T strike) {
        return where.size() < MOST && where.add(new Armed<>(fault, strike));
    }

    /**
     * Nothing lies in wait any more, but for letters and transactions: most of them come late, and a sender's patience needs no
     * more faults, nor does that of who asks again what became of a transaction.
     */
    void disarm() {
        commits.clear();
        reads.clear();
        programs.clear();
        policies.clear();
        leases.clear();
        handlers.clear();
    }

    private <T> Optional<T> next(ArrayDeque<Armed<T>> from) {
        Armed<T> armed = from.poll();
        if (armed == null) {
            return Optional.empty();
        }
        world.struck(armed.fault);
        return Optional.of(armed.strike);
    }

    Committed commit(Commit commit, Store to) throws JournalException {
        Optional<OnCommit> strike = commit.moves().isEmpty() ? Optional.empty() : next(commits);
        return strike.isPresent() ? strike.get().strike(commit, to) : to.commit(commit);
    }

    Transactions.Outcome transaction(TransactionRequest request, Transactions.Work work, Execute to) throws Exception {
        Optional<OnTransaction> strike = next(transactions);
        return strike.isPresent() ? strike.get().strike(request, work, to) : to.execute(request, work);
    }

    void read() throws JournalException {
        Optional<OnCall> strike = next(reads);
        if (strike.isPresent()) {
            strike.get().strike();
        }
    }

    void program() throws JournalException {
        Optional<OnCall> strike = next(programs);
        if (strike.isPresent()) {
            strike.get().strike();
        }
    }

    void policy() throws JournalException {
        Optional<OnCall> strike = next(policies);
        if (strike.isPresent()) {
            strike.get().strike();
        }
    }

    void lease() throws JournalException {
        Optional<OnCall> strike = next(leases);
        if (strike.isPresent()) {
            strike.get().strike();
        }
    }

    /** When a letter is posted to another process. */
    public boolean onPost(String fault, Post strike) {
        return arm(posts, fault, strike);
    }

    /** Before a letter would be stored there. */
    public boolean onLetter(String fault, OnLetter strike) {
        return arm(letters, fault, strike);
    }

    /** What posting a letter comes to. */
    Post post() {
        return next(posts).orElse(Post.AT_ONCE);
    }

    boolean letter(InboxMessage letter, Inbox inbox) throws JournalException {
        Optional<OnLetter> strike = next(letters);
        return strike.isPresent() ? strike.get().strike(letter, inbox) : inbox.accept(letter);
    }

    Call call(TaskResult result) {
        return next(handlers)
                .map(strike -> strike.apply(result))
                .orElseGet(() -> new Call(result, Duration.ZERO, false));
    }
}
