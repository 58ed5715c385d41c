package dev.flowstone.engine.shard;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskOutcomes;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks for messages from other processes, now and then, and makes commands of them. Belongs to its shard's loop. */
final class InboxReader {
    private static final System.Logger LOG = System.getLogger(InboxReader.class.getName());

    private final Journal journal;
    private final Lease lease;
    private final ShardConfig config;
    private final TaskOutcomes outcomes;
    private final Set<InboxKey> taken = new HashSet<>();
    private Instant next = Instant.MIN;
    private boolean hurried;
    private long complete;

    InboxReader(Journal journal, Lease lease, ShardConfig config, TaskOutcomes outcomes) {
        this.journal = journal;
        this.lease = lease;
        this.config = config;
        this.outcomes = outcomes;
    }

    /** A message of which no command can be made, and why. */
    record Refused(InboxMessage message, String reason) {}

    /**
     * Reads a page, if it is time to.
     *
     * @param room how many commands fit
     * @param refused gets the messages that no command can be made of; they are to be consumed, or {@link #release}d
     */
    List<CommandWork> read(Instant now, int room, List<Refused> refused) throws JournalException {
        List<CommandWork> works = new ArrayList<>(0);
        // One that seems far off was reckoned when this machine's clock was ahead.
        boolean wait = !hurried && now.isBefore(next) && !next.isAfter(now.plus(config.inboxPoll()));
        if (room <= 0 || wait) {
            return works;
        }
        int most = room + taken.size();
        List<InboxMessage> page = journal.inbox(lease, most);
        hurried = page.size() >= most;
        complete += hurried ? 0 : 1;
        for (InboxMessage message : page) {
            if (taken.add(message.key())) {
                try {
                    works.add(command(message, outcomes, now));
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, "the message " + message.key() + " is refused: " + e.getMessage());
                    refused.add(new Refused(message, String.valueOf(e.getMessage())));
                }
            }
        }
        next = page.size() >= room ? now : now.plus(config.inboxPoll());
        return works;
    }

    /**
     * What a message asks of its run.
     *
     * @throws IllegalArgumentException if it can't be read
     */
    static CommandWork command(InboxMessage message, TaskOutcomes outcomes, Instant now) {
        RunKey run = new RunKey(message.key().tenant(), message.run());
        return switch (message.kind()) {
            case LetterMessage.KIND -> CommandWork.letter(LetterMessage.read(message), message.key(), now);
            case TaskAnswerMessage.KIND -> {
                TaskAnswerMessage answer = TaskAnswerMessage.read(message.content());
                TaskOutcome outcome = outcomes.of(answer.result());
                Command complete = new Command.CompleteTask(answer.activation(), answer.attempt(), outcome.answer());
                yield CommandWork.message(run, complete, outcome.payloads(), message.key(), now);
            }
            case TransactionMessage.KIND -> {
                TransactionMessage done = TransactionMessage.read(message.content());
                TaskOutcome outcome = outcomes.of(done.result());
                Command complete = new Command.CompleteTask(
                        done.activation(), done.attempt(), outcome.answer(), done.subjectVersion());
                yield CommandWork.message(run, complete, outcome.payloads(), message.key(), now);
            }
            case SubjectMessage.KIND -> {
                long version = SubjectMessage.read(message.content()).version();
                yield CommandWork.message(
                        run, new DataCommand.SubjectChanged(version, false), List.of(), message.key(), now);
            }
            default -> throw new IllegalArgumentException("messages of the kind " + message.kind() + " are unknown");
        };
    }

    /** The message is at hand already: it isn't to be read. False if it has been read. */
    boolean take(InboxKey key) {
        return taken.add(key);
    }

    /** The message was consumed, durably, or must be read again. */
    void release(InboxKey key) {
        taken.remove(key);
    }

    /** The next reading is due at once. */
    void hurry() {
        hurried = true;
    }

    /** How many times everything was taken that the inbox held. */
    long complete() {
        return complete;
    }

    Instant next() {
        return next;
    }
}
