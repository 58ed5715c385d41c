package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import dev.flowstone.sdk.http.ServerAnswer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells one server, three times within a lease, what this worker is still at, and hears what has become of it. A server that
 * doesn't hear some of it is told that again while there is still time before the lease is over. One that was started again knows
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

    /** What the server hasn't heard, to be said again before the next beat. */
    private List<Held> unheard = List.of();

    private long again;
    private boolean silent;

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
                    tell(mine, beat);
                } else if (!unheard.isEmpty() && again - System.nanoTime() <= 0) {
                    Set<Held> still = Set.copyOf(mine);
                    tell(unheard.stream().filter(still::contains).toList(), beat);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(List<Held> all, Duration patience) throws InterruptedException {
        List<Held> failed = new ArrayList<>(0);
        Duration asked = Duration.ZERO;
        for (int from = 0; from < all.size(); from += MOST) {
            List<Held> some = all.subList(from, Math.min(all.size(), from + MOST));
            Optional<Duration> pause = beat(some, patience);
            if (pause.isPresent()) {
                failed.addAll(some);
                asked = asked.compareTo(pause.get()) > 0 ? asked : pause.get();
            }
        }
        if (failed.isEmpty() && !all.isEmpty()) {
            heard();
        }
        unheard = failed;
        again = System.nanoTime() + asked.toNanos();
    }

    /** Empty if the server has heard it; else how long it asks to be left alone, as far as the lease lets it. */
    private Optional<Duration> beat(List<Held> some, Duration patience) throws InterruptedException {
        ObjectNode body = json.createObjectNode().put("leaseSeconds", lease.toSeconds());
        ArrayNode tasks = body.putArray("tasks");
        some.forEach(each -> tasks.add(each.offer.named(json).put("lease", each.lease())));
        return switch (server.post("/api/v1/tasks/heartbeat", json.writeValueAsBytes(body), patience)) {
            case ServerAnswer.Ok(JsonNode told) -> {
                for (int i = 0; i < some.size(); i++) {
                    heard(some.get(i), told.path("tasks").path(i));
                }
                yield Optional.empty();
            }
            case ServerAnswer.Refused refused -> {
                told("refuses to hear what is still worked on: " + refused.code() + ": " + refused.detail());
                Duration asked = refused.retryAfter().orElse(Duration.ZERO);
                yield Optional.of(asked.compareTo(patience) < 0 ? asked : patience);
            }
            case ServerAnswer.Silence(String why) -> {
                told("does not hear what is still worked on: " + why);
                yield Optional.of(Duration.ZERO);
            }
        };
    }

    /** Said once, not at each of many tries. */
    private void told(String what) {
        LOG.log(silent ? Level.DEBUG : Level.WARNING, "the server at " + server.base() + " " + what);
        silent = true;
    }

    private void heard() {
        if (silent) {
            LOG.log(Level.INFO, "the server at " + server.base() + " hears again what is still worked on");
        }
        silent = false;
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
