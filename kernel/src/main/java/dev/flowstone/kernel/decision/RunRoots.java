package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.state.BranchState;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.UndoStack;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that expressions of a run begin with: its input's, {@code context} with {@code data} and, if something may be left out of that, {@code omitted}, {@code vars}, {@code
 * variables}, the run's own, and what a branch adds.
 */
final class RunRoots implements Roots {
    static final String CONTEXT = "context";
    static final String VARS = "vars";
    static final String VARIABLES = "variables";

    /** Those that no input can replace. */
    static final Set<String> RESERVED = Set.of(CONTEXT, VARS, VARIABLES);

    /** In a branch of a collection: its element, and the place of that; the innermost such branch's. */
    static final String ITEM = "item";

    static final String INDEX = "index";

    private static final String DATA = "data";

    private final Env env;
    private final Draft draft;
    private final int scope;

    private final UndoStack.@Nullable Effect effect;

    RunRoots(Env env, Draft draft, int scope) {
        this.env = env;
        this.draft = draft;
        this.scope = scope;
        this.effect = null;
    }

    /** As what undoes this effect sees it. */
    RunRoots(Env env, Draft draft, UndoStack.Effect effect) {
        this.env = env;
        this.draft = draft;
        this.scope = 0;
        this.effect = effect;
    }

    @Override
    public @Nullable JsonValue root(String name) {
        return switch (name) {
            case CONTEXT -> context();
            case VARS -> env.vars();
            case ITEM, INDEX -> {
                BranchState branch = effect == null ? draft.tree().itemAround(scope) : effect.item();
                if (branch == null) {
                    yield input(name);
                }
                yield name.equals(ITEM) ? branch.item() : JsonNumber.of((long) branch.itemIndex());
            }
            case VARIABLES -> draft.data().variables();
            default -> input(name);
        };
    }

    /** Whether something may be left out is seen by the program: where nothing is, there are no other members than there ever were. */
    private JsonObject context() {
        DataView data = data();
        if (draft.program().context().overflow() == Overflow.FAIL) {
            return JsonObject.view(Map.of(DATA, JsonObject.view(data)));
        }
        return JsonObject.builder()
                .put(DATA, JsonObject.view(data))
                .put("omitted", JsonObject.view(new OmittedView(data, draft.topology())))
                .build();
    }

    private DataView data() {
        return effect == null
                ? new DataView(env, draft, draft.tree().branchResults(scope), null, null)
                : new DataView(
                        env,
                        draft,
                        effect.results(),
                        effect.done().activation().node(),
                        effect.done().output());
    }

    private @Nullable JsonValue input(String name) {
        Payload payload = draft.input().get(name);
        return payload == null ? null : value(env, payload);
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
