package dev.flowstone.engine.shard;

import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gives each turn the committed state that it begins with: from the cache, from the journal (one query for all that are
 * missing), or a program's initial state for what may begin one. Requests whose key was used before are concluded here,
 * after one query for all receipts.
 */
final class Loader {
    /** Refuses whatever is asked of a run that can't go on. */
    static final String SET_ASIDE = "RUN_SET_ASIDE";

    private static final String DAMAGED_PROGRAM = "DAMAGED_PROGRAM";
    private static final String UNKNOWN_PROGRAM = "UNKNOWN_PROGRAM";

    /** Why a message is a dead letter, not taken up. */
    private static final Set<String> DEAD = Set.of(SET_ASIDE, DAMAGED_PROGRAM, UNKNOWN_PROGRAM);

    private final Journal journal;
    private final ShardId shard;
    private final Programs programs;
    private final StateCache cache;
    private final Quarantine quarantine;
    private final DeadLetterBox dead;
    private final Clock clock;

    Loader(
            Journal journal,
            ShardId shard,
            Programs programs,
            StateCache cache,
            Quarantine quarantine,
            DeadLetterBox dead,
            Clock clock) {
        this.journal = journal;
        this.shard = shard;
        this.programs = programs;
        this.cache = cache;
        this.quarantine = quarantine;
        this.dead = dead;
        this.clock = clock;
    }

    /**
     * Loads what the batch needs.
     *
     * @param loaded is told each state that came from the journal
     */
    void load(Batch batch, Consumer<RunState> loaded) throws JournalException {
        meetReceipts(batch);
        meetSubjects(batch);
        List<RunKey> missing = new ArrayList<>();
        for (Turn turn : batch.turns()) {
            if (turn.waiting.isEmpty()) {
                continue;
            }
            CachedRun cached = cache.get(turn.key);
            if (cached != null) {
                turn.begin(cached);
                target(turn);
            } else if (quarantine.contains(turn.key)) {
                standsStill(turn, "the run can't go on; see its log");
            } else if (!isFirstStart(turn)) {
                missing.add(turn.key);
            }
        }
        Map<RunKey, StoredRun> found = missing.isEmpty() ? Map.of() : journal.load(shard, missing);
        for (Turn turn : batch.turns()) {
            if (turn.hasState() || turn.waiting.isEmpty()) {
                continue;
            }
            StoredRun stored = found.get(turn.key);
            if (stored != null) {
                rebuild(turn, stored, loaded);
            } else {
                begin(turn);
            }
        }
    }

    private static boolean isFirstStart(Turn turn) {
        return turn.waiting.element() instanceof StartWork start && start.tries == 0;
    }

    private void meetReceipts(Batch batch) throws JournalException {
        if (batch.receipts().isEmpty()) {
            return;
        }
        Map<ReceiptKey, Receipt> found = journal.receipts(shard, batch.receipts());
        if (found.isEmpty()) {
            return;
        }
        for (Turn turn : batch.turns()) {
            turn.waiting.removeIf(work -> {
                Receipt receipt = work.receipt().map(found::get).orElse(null);
                if (receipt != null) {
                    turn.conclude(work, new Turn.Result.Met(receipt));
                }
                return receipt != null;
            });
        }
    }

    /** Starts about a subject that they can't have are concluded here, after one query for all subjects. */
    private void meetSubjects(Batch batch) throws JournalException {
        if (batch.subjects().isEmpty()) {
            return;
        }
        Map<SubjectKey, StoredSubject> found = journal.subjects(shard, batch.subjects());
        if (found.isEmpty()) {
            return;
        }
        for (Turn turn : batch.turns()) {
            turn.waiting.removeIf(work -> {
                Optional<Turn.Result> refused = work instanceof StartWork start
                        ? start.subject().map(found::get).flatMap(subject -> SubjectRule.refusal(start, subject))
                        : Optional.empty();
                refused.ifPresent(result -> turn.conclude(work, result));
                return refused.isPresent();
            });
        }
    }

    private void rebuild(Turn turn, StoredRun stored, Consumer<RunState> loaded) throws JournalException {
        try {
            CachedRun run = RunRebuild.of(stored, programs, RunRebuild.Past.of(journal, shard));
            cache.put(turn.key, run);
            turn.begin(run);
            target(turn);
            loaded.accept(run.state());
            turn.waiting.removeIf(work -> {
                // The run of a start that was thought to have failed is there after all.
                boolean own = work instanceof StartWork;
                if (own) {
                    turn.conclude(work, new Turn.Result.Accepted(List.of(), false));
                }
                return own;
            });
        } catch (CorruptRunException | RuntimeException e) {
            quarantine.add(turn.key, String.valueOf(e.getMessage()));
            standsStill(turn, String.valueOf(e.getMessage()));
        }
    }

    /** A turn without a stored run: a few things begin one, anything else has come to the wrong place. */
    private void begin(Turn turn) throws JournalException {
        Optional<Birth> birth = Birth.of(turn.waiting.element());
        if (birth.isEmpty()) {
            concludeAll(turn, new Turn.Result.Rejected("NOT_STARTED", "there is no such run"));
            return;
        }
        WorkflowId workflow = birth.get().workflow();
        Sha256 hash = birth.get().program();
        Optional<Program> program;
        try {
            program = programs.find(turn.key.tenant(), hash);
        } catch (RuntimeException e) {
            cantBegin(turn, DAMAGED_PROGRAM, String.valueOf(e.getMessage()));
            return;
        }
        if (program.isEmpty() || !program.get().workflow().equals(workflow)) {
            cantBegin(turn, UNKNOWN_PROGRAM, "the workflow " + workflow + " has no program " + hash);
            return;
        }
        turn.begin(CachedRun.fresh(program.get(), hash));
    }

    /** Reads the programs that runs are asked to move to: no decision waits for them. One that isn't there is refused. */
    private void target(Turn turn) throws JournalException {
        RunPrograms known = turn.base().programs();
        known.forget();
        for (Work work : List.copyOf(turn.waiting)) {
            if (work instanceof CommandWork command && command.command instanceof ControlCommand.MigrateRun migrate) {
                try {
                    programs.find(turn.key.tenant(), migrate.program())
                            .ifPresent(program -> known.learn(migrate.program(), program));
                } catch (RuntimeException e) {
                    turn.waiting.remove(work);
                    turn.conclude(work, new Turn.Result.Rejected(DAMAGED_PROGRAM, String.valueOf(e.getMessage())));
                }
            }
        }
    }

    /** Whether a message that was decided so was taken up. */
    static boolean isTakenUp(Turn.Result result) {
        return !(result instanceof Turn.Result.Broken)
                && !(result instanceof Turn.Result.Rejected rejected && DEAD.contains(rejected.code()));
    }

    /** The letters of a run that was set aside stay with their senders; those that came by the inbox would be lost. */
    private void standsStill(Turn turn, String reason) throws JournalException {
        for (Work work : turn.waiting) {
            if (work instanceof CommandWork command && command.origin.inbox().isPresent()) {
                bury(command, reason);
            }
        }
        concludeAll(turn, new Turn.Result.Rejected(SET_ASIDE, reason));
    }

    /** Who waits for the run would wait for ever. */
    private void cantBegin(Turn turn, String code, String reason) throws JournalException {
        for (Work work : turn.waiting) {
            if (work instanceof CommandWork command) {
                bury(command, reason);
            }
        }
        concludeAll(turn, new Turn.Result.Rejected(code, reason));
    }

    private void bury(CommandWork command, String reason) throws JournalException {
        Optional<InboxMessage> letter = Letters.message(command, clock.now());
        if (letter.isPresent()) {
            dead.message(letter.get(), DeadReason.POISON, reason);
        }
    }

    private static void concludeAll(Turn turn, Turn.Result result) {
        Collection<Work> works = List.copyOf(turn.waiting);
        turn.waiting.clear();
        works.forEach(work -> turn.conclude(work, result));
    }
}
