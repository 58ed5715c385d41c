package dev.flowstone.engine.node;

import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.shard.StartWork;
import dev.flowstone.engine.start.Quotas;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRates;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.start.SubjectSlot;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.payload.Payload;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Checks a start at the border and finds the slot where its request id belongs, for ever. */
final class Starts {
    private static final int MAX_NAME = 200;

    private final Clock clock;
    private final int inlineBytes;
    private final long inputBytes;
    private final Quotas quotas;
    private final StartRates rates;

    Starts(Clock clock, EngineConfig config) {
        this.clock = clock;
        this.inlineBytes = config.bounds().inlineBytes();
        this.inputBytes = config.inputBytes();
        this.quotas = config.quotas();
        this.rates = new StartRates(quotas);
    }

    /** Whether the tenant has started as much as it may; else this start counts. */
    Optional<StartAnswer.OverQuota> limit(TenantId tenant) {
        return rates.take(tenant, clock.now())
                .map(wait -> new StartAnswer.OverQuota(
                        "tenant " + tenant + " starts at most "
                                + BigDecimal.valueOf(quotas.rate(tenant))
                                        .stripTrailingZeros()
                                        .toPlainString() + " executions a second here",
                        wait));
    }

    /** The same answer; what comes of it counts only if it is a run. */
    CompletableFuture<StartAnswer> counted(TenantId tenant, CompletableFuture<StartAnswer> answer) {
        return quotas.rate(tenant) == 0
                ? answer
                : answer.whenComplete((told, _) -> {
                    if (!(told instanceof StartAnswer.Started)) {
                        rates.giveBack(tenant);
                    }
                });
    }

    /** Why it is refused before it is queued. */
    Optional<StartAnswer.Refused> refusal(Optional<String> requestId) {
        if (requestId.isPresent() && !isName(requestId.get())) {
            return Optional.of(new StartAnswer.Refused(
                    "INVALID_REQUEST_ID", "a request id has 1 to " + MAX_NAME + " characters, no control characters"));
        }
        return Optional.empty();
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_NAME
                && text.codePoints()
                        .noneMatch(c -> Character.isISOControl(c)
                                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }

    /**
     * The start as the loop takes it, its large values set aside.
     *
     * @throws Carried.TooLargeException if an input is beyond the declared limit
     */
    StartWork work(StartRequest request) throws Carried.TooLargeException {
        Map<String, Payload> input = new LinkedHashMap<>();
        List<StoredPayload> aside = new ArrayList<>(0);
        for (Map.Entry<String, JsonValue> root : new TreeMap<>(request.input()).entrySet()) {
            Carried carried = Carried.of(root.getValue(), inlineBytes, inputBytes);
            input.put(root.getKey(), carried.payload());
            carried.content().map(StoredPayload::of).ifPresent(aside::add);
        }
        return new StartWork(request, input, aside, slot(request), clock.now());
    }

    /** Where a start belongs: with its subject, else with its request id; empty for anywhere. */
    static Optional<Slot> slot(StartRequest request) {
        return request.subject()
                .map(binding -> SubjectSlot.of(new SubjectKey(request.tenant(), binding.subject())))
                .or(() -> request.requestId().map(id -> RequestSlot.of(request.tenant(), id)));
    }
}
