package dev.flowstone.server.effect;

import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The actions that workflows may name, and which parameters {@code core.http} has: so that a wrong one is found when it is published. */
public final class KnownActions implements ActionCatalog {
    private final Set<String> names;

    public KnownActions(Collection<String> names) {
        this.names = Collections.unmodifiableSet(new TreeSet<>(names));
    }

    @Override
    public Set<String> names() {
        return names;
    }

    @Override
    public List<ParameterFault> check(String action, JsonObject parameters) {
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
