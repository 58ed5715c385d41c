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

    private final BooleanSupplier ready;
    private final Supplier<Optional<Instant>> preparedUntil;
    private final Clock clock;

    /**
     * Health routes.
     *
     * @param ready whether every shard of this node takes commands
     * @param preparedUntil up to when the journal's partitions are made
     */
    public Health(BooleanSupplier ready, Supplier<Optional<Instant>> preparedUntil, Clock clock) {
        this.ready = requireNonNull(ready);
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
        if (!ready.getAsBoolean()) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "the engine does not take commands yet, or no more")
                    .retryAfter(Duration.ofSeconds(1))
                    .exception();
        }
        JsonObject.Builder answer = JsonObject.builder().put("status", "ready");
        preparedUntil
                .get()
                .ifPresent(until -> answer.put("partitionsUntil", until.toString())
                        .put("partitions", until.isBefore(clock.now().plus(WARNING)) ? "warning" : "ok"));
        return Reply.json(200, answer.build());
    }
}
