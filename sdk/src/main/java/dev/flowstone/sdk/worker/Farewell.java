package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import dev.flowstone.sdk.http.ServerAnswer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a worker that stops says to its servers. One that doesn't answer soon isn't waited for. */
final class Farewell {
    /** For a goodbye. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** For what is given back: a busy server that doesn't hear it hands it to nobody before the lease is over, and an attempt is lost. */
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(Worker.class.getName());
    private static final int BATCH = 500;

    private final List<Server> servers;
    private final String name;
    private final JsonMapper json;

    Farewell(List<Server> servers, String name, JsonMapper json) {
        this.servers = List.copyOf(servers);
        this.name = requireNonNull(name);
        this.json = requireNonNull(json);
    }

    /** Claims that wait come back at once, so that nothing is handed to who is about to go. */
    void leave() throws InterruptedException {
        byte[] body = json.writeValueAsBytes(json.createObjectNode().put("worker", name));
        for (Server server : servers) {
            if (server.post("/api/v1/tasks/leave", body, PATIENCE) instanceof ServerAnswer.Silence(String why)) {
                LOG.log(Level.DEBUG, server.base() + " can't be told that this worker leaves: " + why);
            }
        }
    }

    /** Gives attempts back unused, each to the server that handed it out. */
    List<Stopped.Left> giveBack(List<Held> all) throws InterruptedException {
        List<Stopped.Left> told = new ArrayList<>();
        for (Server server : servers) {
            List<Held> its = all.stream().filter(task -> task.server == server).toList();
            for (int from = 0; from < its.size(); from += BATCH) {
                List<Held> some = its.subList(from, Math.min(its.size(), from + BATCH));
                boolean heard = giveBack(server, some);
                some.forEach(each -> told.add(left(each, heard)));
            }
        }
        return told;
    }

    private static Stopped.Left left(Held task, boolean givenBack) {
        return new Stopped.Left(
                task.offer.action(),
                task.offer.executionId(),
                task.offer.activation(),
                task.offer.attempt(),
                givenBack);
    }

    private boolean giveBack(Server server, List<Held> some) throws InterruptedException {
        ObjectNode body = json.createObjectNode();
        ArrayNode tasks = body.putArray("tasks");
        some.forEach(each -> tasks.add(each.offer.named(json).put("lease", each.lease())));
        ServerAnswer answer = server.post("/api/v1/tasks/return", json.writeValueAsBytes(body), RETURN_PATIENCE);
        boolean heard = answer instanceof ServerAnswer.Ok;
        if (!heard) {
            LOG.log(Level.WARNING, some.size() + " tasks could not be given back; they will count as lost");
        }
        return heard;
    }
}
