package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Whether the process lives, and whether it can serve. */
public final class Health {
    private final BooleanSupplier ready;

    /**
     * Health routes.
     *
     * @param ready whether every shard of this node takes commands
     */
    public Health(BooleanSupplier ready) {
        this.ready = requireNonNull(ready);
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/health/live", Scope.PUBLIC, Set.of(), Health::live),
                Route.get("/health/ready", Scope.PUBLIC, Set.of(), this::ready));
    }

    private static Reply live(Call call) {
        return Reply.json(200, JsonObject.builder().put("status", "live").build());
    }

    private Reply ready(Call call) throws ProblemException {
        if (!ready.getAsBoolean()) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "the engine does not take commands yet, or no more")
                    .retryAfter(Duration.ofSeconds(1))
                    .exception();
        }
        return Reply.json(200, JsonObject.builder().put("status", "ready").build());
    }
}
