package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Armed;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.TriggerConfig;
import dev.flowstone.server.definition.Kept;
import dev.flowstone.server.execution.SharedReads;
import dev.flowstone.server.metric.TriggerMetrics;
import dev.flowstone.server.rate.NotedRefusals;
import dev.flowstone.triggers.condition.Activation;
import java.util.Optional;

/** Triggers at one node, for those who bring something. Thread-safe; blocks. */
public final class TriggerDesk implements AutoCloseable {
    private static final int KEPT = 20_000;

    private final Triggers triggers;
    private final Activation activation;
    private final TriggerConfig rules;
    private final TriggerMetrics metrics;
    private final DeliveryWriter writer;
    private final NotedRefusals noted = new NotedRefusals();

    /** Many deliveries are of few triggers: what each is like now is read once for all that come at the same time. */
    private final SharedReads<TriggerId, Optional<Armed>> armed;

    /** Whose they are never changes. */
    private final Kept<TriggerId, TenantId> tenants = new Kept<>(KEPT);

    private TriggerDesk(Triggers triggers, Activation activation, TriggerConfig rules, TriggerMetrics metrics) {
        this.triggers = requireNonNull(triggers);
        this.activation = requireNonNull(activation);
        this.rules = requireNonNull(rules);
        this.metrics = requireNonNull(metrics);
        this.writer = DeliveryWriter.start(triggers.deliveries());
        this.armed = new SharedReads<>(triggers::armed);
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

    /** As it is now, whosever it is. */
    public Optional<Armed> armed(TriggerId id) throws JournalException {
        Optional<Armed> found = armed.read(id);
        found.ifPresent(it -> tenants.put(id, it.trigger().key().tenant()));
        return found;
    }

    /** Whose it is, if it is one that {@link #armed} has found lately; empty if that isn't known without asking. */
    public Optional<TenantId> tenant(TriggerId id) {
        return Optional.ofNullable(tenants.get(id));
    }

    /** Writes down what came, before anything is done for it; false if its bytes were sent before. */
    public boolean claim(Arrival arrival) throws JournalException {
        boolean fresh = writer.claim(arrival);
        if (!fresh) {
            metrics.add(Outcome.REFUSED);
        }
        return fresh;
    }

    /** Writes down what became of one that was claimed. */
    public void settle(Arrival arrival, Result result) {
        metrics.add(result.outcome());
        writer.settle(new Settled(arrival.trigger(), arrival.id(), result));
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

    @Override
    public void close() {
        writer.close();
    }
}
