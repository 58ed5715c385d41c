package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Draft;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that expressions of a run begin with: its input's, {@code context} with {@code data}, {@code vars}, and {@code variables}, the run's own. */
final class RunRoots implements Roots {
    static final String CONTEXT = "context";
    static final String VARS = "vars";
    static final String VARIABLES = "variables";

    /** Those that no input can replace. */
    static final Set<String> RESERVED = Set.of(CONTEXT, VARS, VARIABLES);

    private final Env env;
    private final Draft draft;

    RunRoots(Env env, Draft draft) {
        this.env = env;
        this.draft = draft;
    }

    @Override
    public @Nullable JsonValue root(String name) {
        return switch (name) {
            case CONTEXT -> JsonObject.view(Map.of("data", JsonObject.view(new DataView(env, draft))));
            case VARS -> env.vars();
            case VARIABLES -> draft.variables();
            default -> {
                Payload payload = draft.input().get(name);
                yield payload == null ? null : value(env, payload);
            }
        };
    }

    /** The value of a payload; one that is stored elsewhere must be among the facts. */
    static JsonValue value(Env env, Payload payload) {
        return switch (payload) {
            case Payload.Inline inline -> inline.value();
            case Payload.Stored stored -> {
                Fact fact = new Fact.StoredValue(stored.hash());
                JsonValue value = env.facts().get(fact);
                if (value == null) {
                    throw new MissingFactException(fact);
                }
                yield value;
            }
        };
    }
}
