package dev.flowstone.vendors.monday;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.Calls;
import dev.flowstone.vendors.web.Vendor;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Monday's platform API (developer.monday.com, "API reference"): documents with variables, of a dated version. */
final class MondayApi {
    static final Vendor MONDAY =
            new Vendor("monday", "Monday", Optional.of("https://api.monday.com/v2"), new MondayErrors());

    static final String CONFIG_SCHEMA = Vendor.configSchema("""
        "apiVersion": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$",
                       "description": "of Monday's API, such as 2025-10"}\
        """);

    private static final String USUAL_VERSION = "2025-10";

    private final Supplier<OutboundClient> client;

    MondayApi(Supplier<OutboundClient> client) {
        this.client = client;
    }

    Attempt attempt(ActionContext context) throws ActionFailure {
        return new Attempt(
                Calls.of(MONDAY, client, context),
                context.config().path("apiVersion").asString(USUAL_VERSION));
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The calls of one attempt. */
    record Attempt(Calls calls, String version) {
        /**
         * The document's data.
         *
         * @throws ActionFailure if there are any errors: a part of an answer is none
         */
        JsonNode ask(String document, ObjectNode variables) throws ActionFailure, InterruptedException {
            JsonNode answer = answer(document, variables);
            MondayErrors.check(answer);
            return answer.path("data");
        }

        /**
         * The thing that a document changes. If it has an id it was changed, whatever errors stand beside it.
         *
         * @param root the document's only field
         * @throws ActionFailure if there are errors and no id
         */
        JsonNode change(String document, String root, ObjectNode variables) throws ActionFailure, InterruptedException {
            JsonNode answer = answer(document, variables);
            JsonNode changed = answer.path("data").path(root);
            if (changed.path("id").asString("").isEmpty()) {
                MondayErrors.check(answer);
            }
            return changed;
        }

        private JsonNode answer(String document, ObjectNode variables) throws ActionFailure, InterruptedException {
            ObjectNode body = object().put("query", document);
            body.set("variables", variables);
            JsonNode answer = calls.send("POST", "", body, HttpHeader.of("API-Version", version));
            return answer;
        }
    }
}
