package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trace.Mark;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Something to decide, on its way through the loop; it stays the same object when it must be decided again. */
abstract sealed class Work permits StartWork, CommandWork {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final List<StoredPayload> payloads;
    private final long bytes;
    final Instant enqueuedAt;

    /** Where it comes from, for who follows it. */
    Mark mark = Mark.NONE;

    /** How urgent it is. */
    WorkClass workClass = WorkClass.LATENCY_SENSITIVE;

    /** How often it was decided and the decision didn't come to be. */
    int tries;

    /** Decided in a commit of its own run's other commands, because together they were refused. */
    boolean alone;

    Work(List<StoredPayload> payloads, Instant enqueuedAt) {
        this.payloads = List.copyOf(payloads);
        this.enqueuedAt = requireNonNull(enqueuedAt);
        long sum = 0;
        for (StoredPayload payload : this.payloads) {
            sum += payload.bytes().length;
        }
        this.bytes = sum;
    }

    /** Says where it comes from, before it is left for a loop. */
    public void from(Mark place) {
        mark = place;
    }

    /** Says how urgent it is, before it is left for a loop. */
    public void in(WorkClass ofRun) {
        workClass = ofRun;
    }

    /** Whose it is. */
    abstract TenantId tenant();

    /** To be stored in the commit that makes its decision true. */
    List<StoredPayload> payloads() {
        return payloads;
    }

    /** The receipt that it leaves, so that it may be repeated. */
    abstract Optional<ReceiptKey> receipt();

    long bytes() {
        return bytes;
    }

    /** Tells whoever asks for these that they should ask again, later or elsewhere. */
    static void busy(Collection<? extends Work> works, String reason) {
        for (Work work : works) {
            switch (work) {
                case StartWork start -> start.answer.complete(new StartAnswer.Busy(reason, RETRY_AFTER));
                case CommandWork command -> command.busy(reason, RETRY_AFTER);
            }
        }
    }
}
