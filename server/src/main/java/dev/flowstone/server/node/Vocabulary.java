package dev.flowstone.server.node;

import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.effect.HttpAction;
import dev.flowstone.server.effect.KnownActions;
import dev.flowstone.server.effect.Secrets;
import dev.flowstone.server.effect.SharedClient;
import dev.flowstone.server.effect.TemplateRenderAction;
import dev.flowstone.server.effect.WebhookAction;
import dev.flowstone.server.template.TemplateDesk;
import dev.flowstone.templates.DocumentTemplates;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What workflows may say here: the actions that they may name, and the dialects that check definitions against them. */
final class Vocabulary {
    private Vocabulary() {}

    /** With the built-in actions and those that somebody stands ready to answer for; without a database. */
    static Dialects definitions(FlowstoneConfig config, Set<String> actions) throws CannotStartException {
        ScriptExpressions expressions = new ScriptExpressions(config.expressions());
        TemplateDesk templates = new TemplateDesk(Templates.none(), new DocumentTemplates(expressions));
        SharedClient client = new SharedClient(config);
        ConnectorRegistry connectors = Connectors.open(config.connectors(), client);
        HandlerRegistry handlers = actions(config, BuiltInActions.registry(), connectors, client, templates);
        return definitions(config, expressions, handlers, connectors, actions);
    }

    /**
     * With the actions that send requests and webhooks, that render documents, those that workers in other processes do, and those
     * of connectors.
     */
    static HandlerRegistry actions(
            FlowstoneConfig config,
            HandlerRegistry inside,
            ConnectorRegistry connectors,
            SharedClient client,
            TemplateDesk templates)
            throws CannotStartException {
        HandlerRegistry.Builder all = HandlerRegistry.builder()
                .addAll(inside)
                .action(HttpAction.DESCRIPTION, new HttpAction(client, Secrets.of(config.secrets())))
                .action(TemplateRenderAction.DESCRIPTION, new TemplateRenderAction(templates));
        WebhookAction.register(
                all, config.outbox().webhooks().stream().map(Webhook::name).collect(Collectors.toUnmodifiableSet()));
        for (HandlerName action : config.workerActions()) {
            all.remote(new ActionDescription(action, "Done by workers in other processes.", List.of()));
        }
        Connectors.register(connectors, all);
        return all.build();
    }

    static Dialects definitions(
            FlowstoneConfig config,
            ScriptExpressions expressions,
            HandlerRegistry handlers,
            ConnectorRegistry connectors,
            Set<String> more) {
        Set<String> actions = new TreeSet<>(more);
        handlers.actions().keySet().stream().map(HandlerName::value).forEach(actions::add);
        return new Dialects(
                new DagDialect(expressions),
                config.dag(),
                new StatesDialect(expressions),
                config.states(),
                new KnownActions(actions, connectors));
    }
}
