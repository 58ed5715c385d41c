package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Whether the process lives, and whether it can serve. */
public final class Health {
    /** Partitions are made two months ahead, daily: fewer than this left means that making them fails. */
    private static final Duration WARNING = Duration.ofDays(30);

    private final BooleanSupplier database;
    private final BooleanSupplier queue;
    private final BooleanSupplier actions;
    private final Supplier<Optional<Instant>> preparedUntil;
    private final Clock clock;

    /**
     * Health routes.
     *
     * @param database whether it answers
     * @param queue whether every shard of this node takes commands
     * @param actions whether any are registered, and attempts of them begin
     * @param preparedUntil up to when the journal's partitions are made
     */
    public Health(
            BooleanSupplier database,
            BooleanSupplier queue,
            BooleanSupplier actions,
            Supplier<Optional<Instant>> preparedUntil,
            Clock clock) {
        this.database = requireNonNull(database);
        this.queue = requireNonNull(queue);
        this.actions = requireNonNull(actions);
        this.preparedUntil = requireNonNull(preparedUntil);
        this.clock = requireNonNull(clock);
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/health/live", Scope.PUBLIC, SystemDocs.LIVE, Health::live),
                Route.get("/health/ready", Scope.PUBLIC, SystemDocs.READY, this::ready));
    }

    private static Reply live(Call call) {
        return Reply.json(200, JsonObject.builder().put("status", "live").build());
    }

    private Reply ready(Call call) throws ProblemException {
        boolean reached = database.getAsBoolean();
        boolean takes = queue.getAsBoolean();
        boolean acts = actions.getAsBoolean();
        JsonObject.Builder answer = JsonObject.builder()
                .put("database", told(reached))
                .put("queue", told(takes))
                .put("actions", told(acts));
        if (!reached || !takes || !acts) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "the engine does not take commands yet, or no more")
                    .retryAfter(Duration.ofSeconds(1))
                    .with(answer.build())
                    .exception();
        }
        answer.put("status", "ready");
        preparedUntil
                .get()
                .ifPresent(until -> answer.put("partitionsUntil", until.toString())
                        .put("partitions", until.isBefore(clock.now().plus(WARNING)) ? "warning" : "ok"));
        return Reply.json(200, answer.build());
    }

    private static String told(boolean well) {
        return well ? "ok" : "down";
    }
}
