package dev.flowstone.vendors.confluence;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.Calls;
import dev.flowstone.vendors.web.Fault;
import dev.flowstone.vendors.web.Query;
import dev.flowstone.vendors.web.Vendor;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Confluence's REST API for content (developer.atlassian.com, "Confluence Data Center REST API", "Content Resource"). */
final class ConfluenceApi {
    static final Vendor CONFLUENCE = new Vendor(
            "confluence",
            "Confluence",
            Optional.empty(),
            body -> body.path("message").asString(""));

    /** The property of a page that says which key it was made under. */
    static final String MARKER = "flowstone";

    private static final String CONTENT = "/rest/api/content";
    private static final String WHOLE = "version,space,body.storage";
    /** A page's body may be larger than what is kept of an answer: only who needs it asks for it. */
    private static final String BARE = "version,space";

    private static final String MADE = "version";
    private static final String MARKED = "version,space,metadata.properties." + MARKER;

    private final Supplier<OutboundClient> client;

    ConfluenceApi(Supplier<OutboundClient> client) {
        this.client = client;
    }

    Attempt attempt(ActionContext context) throws ActionFailure {
        return new Attempt(Calls.of(CONFLUENCE, client, context));
    }

    /** A text in Confluence's storage format. */
    static ObjectNode storage(String text) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("storage").put("value", text).put("representation", "storage");
        return body;
    }

    /** The calls of one attempt. */
    record Attempt(Calls calls) {
        /**
         * By its id.
         *
         * @param whole with what it says
         */
        Page page(String id, boolean whole) throws ActionFailure, InterruptedException {
            return new Page(calls.get(new Query(CONTENT + "/" + id)
                    .with("expand", whole ? WHOLE : BARE)
                    .toString()));
        }

        /** What a page was in a version that isn't its newest any more; none if that isn't kept. */
        Optional<Page> was(String id, int version) throws ActionFailure, InterruptedException {
            try {
                return Optional.of(new Page(calls.get(new Query(CONTENT + "/" + id)
                        .with("status", "historical")
                        .with("version", version)
                        .with("expand", MADE)
                        .toString())));
            } catch (ActionFailure e) {
                if (e.result().code().equals(Fault.NOT_FOUND.code())) {
                    return Optional.empty();
                }
                throw e;
            }
        }

        /** By its title, which it has alone in its space. */
        Optional<Page> find(String space, String title, boolean whole) throws ActionFailure, InterruptedException {
            JsonNode results = calls.get(new Query(CONTENT)
                            .with("type", "page")
                            .with("spaceKey", space)
                            .with("title", title)
                            .with("limit", 1)
                            .with("expand", whole ? WHOLE : MARKED)
                            .toString())
                    .path("results");
            return results.isEmpty() ? Optional.empty() : Optional.of(new Page(results.get(0)));
        }

        Page create(JsonNode page) throws ActionFailure, InterruptedException {
            return new Page(calls.send("POST", made(CONTENT), page));
        }

        Page update(String id, JsonNode page) throws ActionFailure, InterruptedException {
            return new Page(calls.send("PUT", made(CONTENT + "/" + id), page));
        }

        private static String made(String path) {
            return new Query(path).with("expand", MADE).toString();
        }
    }
}
