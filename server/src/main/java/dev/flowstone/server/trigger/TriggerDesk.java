package dev.flowstone.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.TriggerDeliveries.Claim;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Armed;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.TriggerConfig;
import dev.flowstone.server.definition.Kept;
import dev.flowstone.server.execution.BatchedReads;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.metric.TriggerMetrics;
import dev.flowstone.server.rate.NotedRefusals;
import dev.flowstone.triggers.condition.Activation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Triggers at one node, for those who bring something. Thread-safe; blocks. */
public final class TriggerDesk implements DeliveryLog, AutoCloseable {
    /** Ids of triggers that there are, of all tenants. */
    private static final int KEPT = 200_000;

    private static final int BATCH = 500;
    private static final int MOST_WAITING = 1_000;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Triggers triggers;
    private final Activation activation;
    private final TriggerConfig rules;
    private final TriggerMetrics metrics;
    private final DeliveryWriter writer;
    private final NotedRefusals noted = new NotedRefusals();

    /** What triggers are like now that this node has met, read once for all that come at the same time. */
    private final BatchedReads<TriggerId, Armed> known;

    /** The same of those that it hasn't. Whoever makes ids up fills this one, and a proven sender meets it once. */
    private final BatchedReads<TriggerId, Armed> unknown;

    /** In whose place what comes for one stands; whose they are never changes. */
    private final Kept<TriggerId, TenantId> places = new Kept<>(KEPT);

    private TriggerDesk(Triggers triggers, Activation activation, TriggerConfig rules, TriggerMetrics metrics) {
        this.triggers = requireNonNull(triggers);
        this.activation = requireNonNull(activation);
        this.rules = requireNonNull(rules);
        this.metrics = requireNonNull(metrics);
        this.writer = DeliveryWriter.start(triggers.deliveries());
        this.known = new BatchedReads<>(this::read, BATCH, MOST_WAITING);
        this.unknown = new BatchedReads<>(this::read, BATCH, MOST_WAITING);
    }

    /** Opens it; it writes until it is closed. */
    public static TriggerDesk open(
            Triggers triggers, Activation activation, TriggerConfig rules, TriggerMetrics metrics) {
        return new TriggerDesk(triggers, activation, rules, metrics);
    }

    public Triggers triggers() {
        return triggers;
    }

    public Activation activation() {
        return activation;
    }

    /** What the installation says of them. */
    public TriggerConfig rules() {
        return rules;
    }

    /** What is counted of them. */
    public TriggerMetrics metrics() {
        return metrics;
    }

    private Map<TriggerId, Armed> read(List<TriggerId> ids) throws JournalException {
        return triggers.armed(ids).stream()
                .collect(Collectors.toMap(it -> it.trigger().key().id(), Function.identity()));
    }

    /**
     * As it is now, whosever it is.
     *
     * @throws ProblemException if too many are asked for
     */
    public Optional<Armed> armed(TriggerId id) throws ProblemException, JournalException {
        boolean met = places.get(id) != null;
        try {
            Optional<Armed> found = (met ? known : unknown).read(id);
            if (!met) {
                found.ifPresent(it -> places.put(id, place(it.trigger().key().tenant())));
            }
            return found;
        } catch (BatchedReads.FullException e) {
            throw busy();
        }
    }

    /** What is told where it mustn't be seen whether this node knows a trigger; goes on unless it is told to others, too. */
    public void checkCrowd() throws ProblemException {
        if (unknown.isFull() || known.isFull()) {
            throw busy();
        }
    }

    private static ProblemException busy() {
        return Problem.of(ProblemCode.BUSY, "too many webhooks are looked for; nothing of this call was done")
                .retryAfter(RETRY)
                .exception();
    }

    /**
     * In whose place what comes for it stands before anything proves whose it is, if it is one that {@link #armed} has found lately.
     * There is one for each tenant, and it isn't the tenant's own, which is for what is proven.
     */
    public Optional<TenantId> place(TriggerId id) {
        return Optional.ofNullable(places.get(id));
    }

    private static TenantId place(TenantId tenant) {
        return new TenantId("webhooks " + Sha256.digest(tenant.value().getBytes(UTF_8)));
    }

    @Override
    public boolean claim(Arrival arrival) throws JournalException {
        return take(arrival) != Claim.REPLAY;
    }

    /** The same; says whether it has come before. */
    public Claim take(Arrival arrival) throws JournalException {
        Claim claim = writer.claim(arrival);
        if (claim == Claim.REPLAY) {
            metrics.add(Outcome.REFUSED);
        }
        return claim;
    }

    /** The same; what was refused for now may come again as it is. */
    @Override
    public void settle(Arrival arrival, Result result) {
        metrics.add(result.outcome());
        boolean again = result.code()
                .flatMap(ProblemCode::of)
                .filter(ProblemCode::isForNow)
                .isPresent();
        writer.settle(new Settled(arrival.trigger(), arrival.id(), result, again));
    }

    /** Writes down that one was refused of which nothing proves whose it is; not each, if there are many. */
    public void note(Arrival arrival, Result result) {
        if (noted.take(arrival.trigger().id().toString())) {
            writer.note(arrival);
            settle(arrival, result);
        } else {
            metrics.add(result.outcome());
        }
    }

    /** Closes it once what became of what came is written, or after this time. */
    public void await(Duration time) {
        writer.await(time);
    }

    /** Waits for nothing. */
    @Override
    public void close() {
        writer.close();
    }
}
