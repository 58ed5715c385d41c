package dev.flowstone.server.effect;

import dev.flowstone.connectors.catalog.DescribedAction;
import java.util.List;

/** What the server's own actions are, for the catalog: requests, webhooks, documents. */
public final class ServerActions {
    private static final String HTTP = """
            {"type": "object", "required": ["url"], "additionalProperties": false,
             "properties": {
               "url": {"type": "string", "description": "the whole of it, http or https, without user and password"},
               "method": {"type": "string", "default": "GET"},
               "query": {"type": "object", "description": "added to the URL; a list is a parameter several times"},
               "headers": {"type": "object",
                           "description": "a list is a header several times, {\\"$secret\\": NAME} a secret of the server's"},
               "json": {"description": "any value, the body; or one of the following"},
               "form": {"type": "object", "description": "the body as a form sends it"},
               "text": {"type": "string", "description": "the body in UTF-8"},
               "base64": {"type": "string", "description": "the body in Base64"},
               "contentType": {"type": "string", "description": "of the body; default by what it is"},
               "timeout": {"type": "string", "description": "ISO 8601 duration; at most and by default outbound.timeout"},
               "expect": {"type": "array", "default": ["2xx"], "description": "statuses that are success, such as 2xx, 404"},
               "response": {"type": "string", "default": "auto", "enum": ["auto", "json", "text", "base64", "none"]}}}
            """;
    private static final String HTTP_ANSWER = """
            {"type": "object", "required": ["status", "headers", "body", "bodyIs", "truncated"],
             "properties": {
               "status": {"type": "integer"},
               "headers": {"type": "object", "description": "by their names in lower case"},
               "body": {"description": "as bodyIs says"},
               "bodyIs": {"type": "string"},
               "truncated": {"type": "boolean", "description": "whether there was more"}}}
            """;
    private static final String WEBHOOK = """
            {"type": "object", "required": ["endpoint", "type"], "additionalProperties": false,
             "properties": {
               "endpoint": {"type": "string", "description": "the name of an endpoint: webhook.NAME.url is set for it"},
               "type": {"type": "string", "description": "what has happened, such as com.example.order.paid"},
               "data": {"description": "what there is to say of it; default an empty object"}}}
            """;
    private static final String WEBHOOK_ANSWER = """
            {"type": "object", "required": ["message"],
             "properties": {"message": {"type": "string", "description": "the message's key in the outbox"}}}
            """;
    private static final String RENDER = """
            {"type": "object", "required": ["templateSetId", "templateId"], "additionalProperties": false,
             "properties": {
               "templateSetId": {"type": "string", "description": "the set that the template is in"},
               "templateId": {"type": "string", "description": "the template"},
               "version": {"type": "integer", "minimum": 1, "description": "the newest that isn't off if left out"},
               "answers": {"type": "object", "description": "what the template's form asks for"},
               "extras": {"type": "object", "description": "what the body reads besides"}}}
            """;
    private static final String DOCUMENT = """
            {"type": "object", "required": ["body", "metadata"],
             "properties": {
               "body": {"type": "string", "description": "the document"},
               "metadata": {"type": "object",
                            "required": ["templateSetId", "templateId", "version", "displayName", "format", "shared"],
                            "properties": {
                              "templateSetId": {"type": "string"},
                              "templateId": {"type": "string"},
                              "version": {"type": "integer"},
                              "displayName": {"type": "string"},
                              "format": {"type": "string", "enum": ["text", "html"]},
                              "shared": {"type": "boolean"}}}}}
            """;

    private ServerActions() {}

    public static List<DescribedAction> described() {
        return List.of(
                DescribedAction.of(
                        DescribedAction.named(
                                        "core.http",
                                        "HTTP request",
                                        "Sends an HTTP request and answers what came back.")
                                .category("Communication", "http", "request", "rest"),
                        HTTP,
                        HTTP_ANSWER),
                DescribedAction.of(
                        DescribedAction.named(
                                        "core.webhook",
                                        "Webhook",
                                        "Sends a signed webhook through the outbox, and waits for nothing.")
                                .category("Communication", "http", "message"),
                        WEBHOOK,
                        WEBHOOK_ANSWER),
                DescribedAction.of(
                        DescribedAction.named(
                                        "core.template.render", "Render a document", "Renders a document template.")
                                .category("Document", "template", "text", "html"),
                        RENDER,
                        DOCUMENT));
    }
}
