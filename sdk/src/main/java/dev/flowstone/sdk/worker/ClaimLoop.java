package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import dev.flowstone.sdk.http.ServerAnswer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks one server for as many tasks as there is room for, over and over; comes back by itself when the server does. */
final class ClaimLoop implements Runnable {
    private static final System.Logger LOG = System.getLogger(ClaimLoop.class.getName());

    private final Server server;
    private final WorkerConfig config;
    private final List<String> actions;
    private final JsonMapper json;
    private final Slots slots;
    private final Stop stop;
    private final Consumer<Held> begin;
    private boolean silent;

    ClaimLoop(
            Server server,
            WorkerConfig config,
            List<String> actions,
            JsonMapper json,
            Slots slots,
            Stop stop,
            Consumer<Held> begin) {
        this.server = requireNonNull(server);
        this.config = requireNonNull(config);
        this.actions = List.copyOf(actions);
        this.json = requireNonNull(json);
        this.slots = requireNonNull(slots);
        this.stop = requireNonNull(stop);
        this.begin = requireNonNull(begin);
    }

    @Override
    public void run() {
        int failures = 0;
        int share = Math.clamp(config.concurrency() / config.servers().size(), 1, config.batch());
        try {
            for (int room = slots.reserve(share); room > 0; room = slots.reserve(share)) {
                long asked = System.nanoTime();
                ServerAnswer answer = server.post(
                        "/api/v1/tasks/claim", body(room), config.poll().plus(Span.ANSWER));
                int begun = begin(answer, room);
                slots.release(room - begun);
                if (answer instanceof ServerAnswer.Ok) {
                    heard();
                    boolean hasty = begun == 0
                            && System.nanoTime() - asked < config.poll().toNanos() / 2;
                    // A server that has nothing and doesn't wait is about to stop.
                    failures = hasty ? failures + 1 : 0;
                } else {
                    failures++;
                }
                if (failures > 0) {
                    stop.await(longer(config.backoff().after(failures), answer));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private byte[] body(int room) {
        ObjectNode body = json.createObjectNode()
                .put("worker", config.name())
                .put("max", room)
                .put("leaseSeconds", config.lease().toSeconds())
                .put("waitSeconds", config.poll().toSeconds());
        ArrayNode names = body.putArray("actions");
        actions.forEach(names::add);
        return json.writeValueAsBytes(body);
    }

    private int begin(ServerAnswer answer, int room) {
        return switch (answer) {
            case ServerAnswer.Ok(JsonNode body) -> begin(body.path("tasks"), room);
            case ServerAnswer.Refused refused -> {
                told("refuses to hand out tasks: " + refused.code() + ": " + refused.detail());
                yield 0;
            }
            case ServerAnswer.Silence(String why) -> {
                told("does not answer: " + why);
                yield 0;
            }
        };
    }

    private int begin(JsonNode tasks, int room) {
        int begun = 0;
        for (JsonNode task : tasks) {
            Optional<Offer> offer = Offer.read(task);
            if (offer.isPresent() && begun < room) {
                begun++;
                begin.accept(new Held(offer.get(), server));
            } else {
                LOG.log(Level.WARNING, server.base() + " handed out what is no task, or more than was asked for");
            }
        }
        return begun;
    }

    private static Duration longer(Duration pause, ServerAnswer answer) {
        Duration asked = answer instanceof ServerAnswer.Refused refused
                ? refused.retryAfter().orElse(Duration.ZERO)
                : Duration.ZERO;
        return asked.compareTo(pause) > 0 ? asked : pause;
    }

    /** Said once, not at each of many tries. */
    private void told(String what) {
        LOG.log(silent ? Level.DEBUG : Level.WARNING, "the server at " + server.base() + " " + what);
        silent = true;
    }

    private void heard() {
        if (silent) {
            LOG.log(Level.INFO, "the server at " + server.base() + " is back");
        }
        silent = false;
    }
}
