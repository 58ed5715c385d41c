package dev.flowstone.vendors.confluence;

import tools.jackson.databind.JsonNode;

/** A page as Confluence shows it. */
record Page(JsonNode json) {
    String id() {
        return json.path("id").asString("");
    }

    String title() {
        return json.path("title").asString("");
    }

    String space() {
        return json.path("space").path("key").asString("");
    }

    int version() {
        return json.path("version").path("number").asInt(0);
    }

    /** What whoever made this version said of it. */
    String versionMessage() {
        return json.path("version").path("message").asString("");
    }

    String body() {
        return json.path("body").path("storage").path("value").asString("");
    }

    /** The key that it was made under; empty if somebody else made it. */
    String marker() {
        return json.path("metadata")
                .path("properties")
                .path(ConfluenceApi.MARKER)
                .path("value")
                .path("key")
                .asString("");
    }

    /** Where people see it. */
    String url() {
        JsonNode links = json.path("_links");
        return links.path("base").asString("") + links.path("webui").asString("");
    }
}
