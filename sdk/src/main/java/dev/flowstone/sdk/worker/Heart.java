package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import dev.flowstone.sdk.http.ServerAnswer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells one server, three times within a lease, what this worker is still at, and hears what has become of it. A server that
 * doesn't answer is asked again while there is still time before the lease is over. One that was started again knows
 * nothing of it; then the handler goes on, because a success counts all the same.
 */
final class Heart implements Runnable {
    private static final System.Logger LOG = System.getLogger(Heart.class.getName());
    private static final int MOST = 500;
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Server server;
    private final Duration lease;
    private final JsonMapper json;
    private final Supplier<Collection<Held>> held;
    private final Stop stop;

    Heart(Server server, Duration lease, JsonMapper json, Supplier<Collection<Held>> held, Stop stop) {
        this.server = requireNonNull(server);
        this.lease = requireNonNull(lease);
        this.json = requireNonNull(json);
        this.held = requireNonNull(held);
        this.stop = requireNonNull(stop);
    }

    @Override
    public void run() {
        Duration beat = lease.dividedBy(3);
        Duration look = beat.compareTo(LOOK) < 0 ? beat : LOOK;
        long due = System.nanoTime() + beat.toNanos();
        try {
            while (!stop.await(look)) {
                List<Held> mine = new ArrayList<>();
                for (Held each : held.get()) {
                    if (each.server == server) {
                        mine.add(each);
                    }
                }
                mine.stream().filter(Held::isLate).forEach(Held::lose);
                if (due - System.nanoTime() <= 0) {
                    due = System.nanoTime() + beat.toNanos();
                    boolean all = true;
                    for (int from = 0; from < mine.size(); from += MOST) {
                        all &= beat(mine.subList(from, Math.min(mine.size(), from + MOST)), beat);
                    }
                    due = all ? due : System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if nobody knows whether the server has heard it. */
    private boolean beat(List<Held> some, Duration patience) throws InterruptedException {
        ObjectNode body = json.createObjectNode().put("leaseSeconds", lease.toSeconds());
        ArrayNode tasks = body.putArray("tasks");
        some.forEach(each -> tasks.add(each.offer.named(json).put("lease", each.lease())));
        ServerAnswer answer = server.post("/api/v1/tasks/heartbeat", json.writeValueAsBytes(body), patience);
        if (!(answer instanceof ServerAnswer.Ok(JsonNode told))) {
            LOG.log(Level.WARNING, server.base() + " was not told what is still worked on: " + answer);
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            heard(some.get(i), told.path("tasks").path(i));
        }
        return true;
    }

    private static void heard(Held held, JsonNode told) {
        switch (told.path("state").asString("")) {
            case "held" -> held.renewed(told.path("lease").asString(held.lease()));
            case "canceled" -> held.cancel();
            case "gone" -> held.lose();
            default -> {
                // Nothing is known of it; its answer may be wanted all the same.
            }
        }
    }
}
