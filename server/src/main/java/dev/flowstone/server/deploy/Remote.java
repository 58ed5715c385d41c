package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import dev.flowstone.server.http.Percent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a server has of workflows, triggers and document templates. */
final class Remote {
    private static final int NOT_FOUND = 404;
    private static final String PAGE = "200";

    private final ServerClient client;

    Remote(ServerClient client) {
        this.client = requireNonNull(client);
    }

    /** All items of a list, by their ids. */
    Map<String, JsonObject> all(String path) throws DeployException, InterruptedException {
        Map<String, JsonObject> all = new TreeMap<>();
        items(path).forEach(item -> all.put(text(item, "id"), item));
        return all;
    }

    /** All items of a list. */
    List<JsonObject> items(String path) throws DeployException, InterruptedException {
        List<JsonObject> all = new ArrayList<>();
        ServerCall page = ServerCall.of("GET", path).asking("limit", PAGE);
        while (true) {
            JsonObject body = done("the list of " + path.substring(1), page).body();
            if (body.get("items") instanceof JsonArray(List<JsonValue> items)) {
                for (JsonValue item : items) {
                    if (item instanceof JsonObject object) {
                        all.add(object);
                    }
                }
            }
            if (!(body.get("next") instanceof JsonString(String next))) {
                return all;
            }
            page = page.asking("after", next);
        }
    }

    /** A workflow with the definition of its open draft; empty if there is none. */
    Optional<JsonObject> draft(String workflow) throws DeployException, InterruptedException {
        return found(workflow, ServerCall.of("GET", path(workflow)).asking("version", "draft"));
    }

    /** A workflow with its current version, or with the draft that it is; empty if there is none. */
    Optional<JsonObject> current(String workflow) throws DeployException, InterruptedException {
        return found(workflow, ServerCall.of("GET", path(workflow)));
    }

    private Optional<JsonObject> found(String workflow, ServerCall call) throws DeployException, InterruptedException {
        ServerAnswer answer = client.call(call);
        if (answer instanceof ServerAnswer.Refused(int status, JsonObject _) && status == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(done("workflow " + workflow, answer).body());
    }

    /** Removes something; what is gone already, is. */
    void removed(String what, ServerCall call) throws DeployException, InterruptedException {
        ServerAnswer answer = client.call(call);
        if (!(answer instanceof ServerAnswer.Refused(int status, JsonObject _)) || status != NOT_FOUND) {
            done(what, answer);
        }
    }

    ServerAnswer.Done done(String what, ServerCall call) throws DeployException, InterruptedException {
        return done(what, client.call(call));
    }

    private static ServerAnswer.Done done(String what, ServerAnswer answer) throws DeployException {
        if (answer instanceof ServerAnswer.Done done) {
            return done;
        }
        throw new DeployException(what, answer);
    }

    static String path(String workflow) {
        return "/workflows/" + Percent.segment(workflow);
    }

    static String set(String set) {
        return "/templates/sets/" + Percent.segment(set);
    }

    static String template(String set, String id) {
        return "/templates/" + Percent.segment(set) + "/" + Percent.segment(id);
    }

    static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    static long revision(JsonObject row) {
        return row.get("revision") instanceof JsonNumber number ? number.longValue() : 0;
    }

    static boolean wasActive(JsonObject workflow) {
        return workflow.find("currentVersion").filter(it -> it != JsonNull.NULL).isPresent();
    }

    static boolean isArchived(JsonObject workflow) {
        return text(workflow, "status").equals("Archived");
    }
}
