package dev.flowstone.vendors.confluence;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.Calls;
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
        Page page(String id) throws ActionFailure, InterruptedException {
            return new Page(calls.get(
                    new Query(CONTENT + "/" + id).with("expand", WHOLE).toString()));
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
            return new Page(calls.send("POST", CONTENT, page));
        }

        Page update(String id, JsonNode page) throws ActionFailure, InterruptedException {
            return new Page(calls.send("PUT", CONTENT + "/" + id, page));
        }
    }
}
