package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.server.api.doc.ControlDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes an execution's variables from outside: all at once, with who did it and why in its history. */
final class VariableRoutes {
    private static final int PROSE = 4_000;

    private final RunCalls calls;

    VariableRoutes(RunCalls calls) {
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(Route.patch(
                ExecutionJson.ROOT + "/{id}/variables",
                Scope.EXECUTIONS_CONTROL,
                ControlDocs.SET_VARIABLES,
                BodyRule.REQUIRED,
                this::set));
    }

    private Reply set(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("variables", "reason"));
        Fields variables = body.object("variables").orElseThrow(() -> body.missing("variables"));
        Map<String, JsonValue> values = variables.json().members();
        if (values.isEmpty()) {
            throw body.wrong("variables", "no variable is named", "name one at least");
        }
        for (String name : values.keySet()) {
            if (!Node.Assign.VARIABLE.matcher(name).matches()) {
                throw variables.wrong(
                        name,
                        "'" + Cut.text(name) + "' is no variable's name",
                        "use a letter or underscore, then letters, digits and underscores, 64 in all");
            }
        }
        return calls.ask(call, new DataCommand.SetVariables(values, body.requiredProse("reason", PROSE)));
    }
}
