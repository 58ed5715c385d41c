package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.definition.PublishLints;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.health.HealthChecks;
import dev.flowstone.server.http.Bounds;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.metric.Meters;
import dev.flowstone.server.stream.EventStreams;
import dev.flowstone.server.subscription.SubscriptionControl;
import dev.flowstone.server.template.TemplateDesk;
import dev.flowstone.server.template.WorkflowTemplateDesk;
import dev.flowstone.server.trigger.EventStarts;
import dev.flowstone.server.trigger.Launcher;
import dev.flowstone.server.trigger.TriggerDesk;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the routes stand on.
 *
 * @param principalRequired whether a start has to say for whom it is
 * @param events close them before the server
 * @param subscriptions to events
 * @param triggers that start executions
 * @param templates of documents
 * @param actions that workflows may name
 * @param workflowTemplates of which drafts are made
 * @param launcher starts what they start
 * @param eventStarts the same, of events
 * @param preparedUntil up to when the journal has room made ahead
 * @param meters what a scrape reads
 * @param load how busy this node is
 * @param stuck finds runs that stand still; empty where there is no database to look at
 * @param setAside runs that this node can't go on with
 * @param health how this node fares
 * @param limits on what callers ask for
 * @param bounds of what calls take at once
 * @param forwarder the way to other nodes
 */
public record ApiParts(
        Ports ports,
        Engine engine,
        Workflows workflows,
        Programs programs,
        PublishLints lints,
        Starts starts,
        boolean principalRequired,
        EventStreams events,
        SubscriptionControl subscriptions,
        TriggerDesk triggers,
        TemplateDesk templates,
        ActionDesk actions,
        WorkflowTemplateDesk workflowTemplates,
        Launcher launcher,
        EventStarts eventStarts,
        Supplier<Optional<Instant>> preparedUntil,
        Meters meters,
        Supplier<NodeLoad> load,
        Optional<StuckFinder> stuck,
        Supplier<Map<RunKey, String>> setAside,
        HealthChecks health,
        Limits limits,
        Bounds bounds,
        Forwarder forwarder) {
    public ApiParts {
        requireNonNull(ports);
        requireNonNull(engine);
        requireNonNull(workflows);
        requireNonNull(programs);
        requireNonNull(lints);
        requireNonNull(starts);
        requireNonNull(events);
        requireNonNull(subscriptions);
        requireNonNull(triggers);
        requireNonNull(templates);
        requireNonNull(actions);
        requireNonNull(workflowTemplates);
        requireNonNull(launcher);
        requireNonNull(eventStarts);
        requireNonNull(preparedUntil);
        requireNonNull(meters);
        requireNonNull(load);
        requireNonNull(stuck);
        requireNonNull(setAside);
        requireNonNull(health);
        requireNonNull(limits);
        requireNonNull(bounds);
        requireNonNull(forwarder);
    }
}
