package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartReceipts;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.payload.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A start. Its run gets its id when the loop takes it first, and keeps it. */
public final class StartWork extends Work {
    final StartRequest request;
    final Map<String, Payload> input;
    final Optional<Slot> slot;
    final Optional<ReceiptKey> receipt;
    final Optional<ResetPoint> reset;
    final CompletableFuture<StartAnswer> answer = new CompletableFuture<>();
    private @Nullable RunKey run;

    /**
     * A start on its way.
     *
     * @param slot where its request id belongs; empty for any slot of the shard
     */
    public StartWork(
            StartRequest request,
            Map<String, Payload> input,
            List<StoredPayload> payloads,
            Optional<Slot> slot,
            Instant enqueuedAt) {
        this(request, input, payloads, slot, Optional.empty(), enqueuedAt);
    }

    /** The start of a run that begins at another one's past, by the program that the other one followed then. */
    public static StartWork reset(StartRequest request, Optional<Slot> slot, ResetPoint reset, Instant enqueuedAt) {
        return new StartWork(request, Map.of(), List.of(), slot, Optional.of(reset), enqueuedAt);
    }

    private StartWork(
            StartRequest request,
            Map<String, Payload> input,
            List<StoredPayload> payloads,
            Optional<Slot> slot,
            Optional<ResetPoint> reset,
            Instant enqueuedAt) {
        super(payloads, enqueuedAt);
        this.reset = reset;
        this.request = requireNonNull(request);
        this.input = Map.copyOf(input);
        this.slot = requireNonNull(slot);
        this.receipt = request.requestId()
                .map(id -> reset.map(point -> new ReceiptKey(request.tenant(), point.scope(), id))
                        .orElseGet(() -> StartReceipts.key(request.tenant(), request.subject(), id)));
    }

    /** Of which it starts a run. */
    public WorkflowId workflow() {
        return request.workflow();
    }

    /** The subject that its run is to be bound to. */
    Optional<SubjectKey> subject() {
        return request.subject().map(binding -> new SubjectKey(request.tenant(), binding.subject()));
    }

    public CompletableFuture<StartAnswer> answer() {
        return answer;
    }

    @Override
    TenantId tenant() {
        return request.tenant();
    }

    @Override
    Optional<ReceiptKey> receipt() {
        return receipt;
    }

    @Override
    long bytes() {
        return super.bytes() + reset.map(ResetPoint::bytes).orElse(0L);
    }

    /** Where it belongs; any slot will do if empty. */
    public Optional<Slot> slot() {
        return slot;
    }

    boolean hasRun() {
        return run != null;
    }

    RunKey run() {
        return requireNonNull(run, "the start has no run yet");
    }

    void run(RunKey key) {
        this.run = key;
    }
}
