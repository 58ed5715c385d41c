package dev.flowstone.server.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.connectors.registry.RegisteredAction;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.server.catalog.ActionSwitches;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The actions that workflows may name, and which parameters {@code core.http} and the actions of connectors have: so that a wrong one is
 * found when it is published.
 */
public final class KnownActions implements ActionCatalog {
    private final Set<String> names;
    private final ConnectorRegistry connectors;
    private final ActionSwitches switches;

    /**
     * Of these names, but for those of actions that are disabled.
     *
     * @param connectors what is known of some of them
     * @param switches what operators have turned off
     */
    public KnownActions(Collection<String> names, ConnectorRegistry connectors, ActionSwitches switches) {
        Set<String> all = new TreeSet<>(names);
        connectors.actions().values().stream()
                .filter(action -> !action.isEnabled())
                .map(RegisteredAction::id)
                .forEach(all::remove);
        this.names = Collections.unmodifiableSet(all);
        this.connectors = requireNonNull(connectors);
        this.switches = requireNonNull(switches);
    }

    @Override
    public Set<String> names() {
        if (switches.areAllOn()) {
            return names;
        }
        Set<String> on = new TreeSet<>(names);
        on.removeIf(name -> switches.refusal(name).isPresent());
        return on;
    }

    @Override
    public Optional<String> disabled(String action) {
        Optional<String> off = switches.refusal(action).filter(_ -> isThere(action));
        return off.isPresent() ? off : disabledByItsAuthor(action);
    }

    /** A connector that is off doesn't make actions of what nobody has. */
    private boolean isThere(String action) {
        return names.contains(action) || connectors.action(action).isPresent();
    }

    private Optional<String> disabledByItsAuthor(String action) {
        return connectors
                .action(action)
                .filter(it -> !it.isEnabled())
                .map(it -> it.spec().deprecation().orElse("take another action, or ask whoever runs the server why"));
    }

    @Override
    public Optional<String> deprecation(String action) {
        return connectors.action(action).flatMap(it -> it.spec().deprecation());
    }

    @Override
    public List<ParameterFault> check(String action, JsonObject parameters) {
        Optional<RegisteredAction> registered = connectors.action(action);
        if (registered.isPresent()) {
            return registered.get().look(parameters).stream()
                    .map(fault -> new ParameterFault(
                            fault.path(),
                            "'" + action + "' can't use this: " + fault.message(),
                            "give what the action takes: docs/actions.md"))
                    .toList();
        }
        if (!action.equals(HttpAction.DESCRIPTION.name().value())) {
            return List.of();
        }
        List<String> known = HttpParameters.names();
        List<ParameterFault> faults = new ArrayList<>();
        for (String name : parameters.members().keySet()) {
            if (!known.contains(name)) {
                faults.add(new ParameterFault(
                        JsonPointer.ROOT.child(name).toString(),
                        "'core.http' has no parameter " + Quoted.text(name),
                        "leave it out; it has " + String.join(", ", known)));
            }
        }
        for (Parameter parameter : HttpAction.DESCRIPTION.parameters()) {
            if (parameter.required() && parameters.find(parameter.name()).isEmpty()) {
                faults.add(new ParameterFault(
                        "",
                        "'core.http' needs the parameter '" + parameter.name() + "'",
                        "add it: " + parameter.note()));
            }
        }
        return faults;
    }
}
