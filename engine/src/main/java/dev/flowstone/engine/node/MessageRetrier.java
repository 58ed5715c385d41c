package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.Retrier;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.MessageCodec;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Puts messages into the inbox again that a shard could not take up; the shard says what came of it. The start of a child is refused
 * if its workflow is archived by now, or nobody waits for the child any more.
 */
final class MessageRetrier implements Retrier {
    private static final System.Logger LOG = System.getLogger(MessageRetrier.class.getName());

    private final Ports ports;
    private final Executor executor;

    MessageRetrier(Ports ports, Executor executor) {
        this.ports = requireNonNull(ports);
        this.executor = requireNonNull(executor);
    }

    @Override
    public CompletableFuture<Retried> retry(DeadLetter letter) {
        return CompletableFuture.supplyAsync(() -> again(letter), executor);
    }

    private Retried again(DeadLetter letter) {
        try {
            InboxMessage message = DeadLetterBox.attempt(letter, ports.clock().now());
            Optional<String> refusal = refusal(message);
            if (refusal.isPresent()) {
                return new Retried.Failed(DeadReason.VALIDATION, refusal.get());
            }
            boolean _ = ports.inbox().accept(message);
            return new Retried.Unknown();
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "the dead letter " + letter.id() + " waits: " + e.getMessage());
            return new Retried.Unknown();
        } catch (RuntimeException e) {
            return new Retried.Failed(DeadReason.DESERIALIZATION, String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> refusal(InboxMessage message) throws JournalException {
        if (!message.kind().equals(LetterMessage.KIND)) {
            return Optional.empty();
        }
        Letter letter = LetterMessage.read(message);
        return letter.content().get("message") instanceof JsonObject said
                        && MessageCodec.read(said) instanceof Message.StartChild start
                ? refusal(letter, start)
                : Optional.empty();
    }

    private Optional<String> refusal(Letter letter, Message.StartChild start) throws JournalException {
        TenantId tenant = letter.key().tenant();
        Optional<WorkflowRow> workflow = ports.workflows().find(tenant, start.workflow());
        if (workflow.filter(it -> it.enabled() && it.status() == WorkflowStatus.ACTIVE)
                .isEmpty()) {
            return Optional.of("the workflow " + start.workflow() + " is not active any more");
        }
        Optional<RunRow> caller = ports.runs().run(tenant, letter.key().sender());
        return start.waits() && caller.filter(it -> !it.status().isFinal()).isEmpty()
                ? Optional.of("the execution " + letter.key().sender() + " that called it is over")
                : Optional.empty();
    }
}
