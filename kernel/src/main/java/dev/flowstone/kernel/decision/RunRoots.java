package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Draft;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names that expressions of a run begin with: its input's, {@code context} with {@code data}, and {@code vars}. */
final class RunRoots implements Roots {
    static final String CONTEXT = "context";
    static final String VARS = "vars";

    private final Env env;
    private final Draft draft;

    private final @Nullable NodeId node;
    private final @Nullable Payload answer;

    RunRoots(Env env, Draft draft) {
        this(env, draft, null, null);
    }

    /** Sees another answer of one node than its newest. */
    RunRoots(Env env, Draft draft, @Nullable NodeId node, @Nullable Payload answer) {
        this.env = env;
        this.draft = draft;
        this.node = node;
        this.answer = answer;
    }

    @Override
    public @Nullable JsonValue root(String name) {
        return switch (name) {
            case CONTEXT -> JsonObject.view(Map.of("data", JsonObject.view(new DataView(env, draft, node, answer))));
            case VARS -> env.vars();
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
