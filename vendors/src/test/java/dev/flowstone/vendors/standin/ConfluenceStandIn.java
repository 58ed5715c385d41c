package dev.flowstone.vendors.standin;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Confluence's REST API for content, with the spaces PROJECTS and OPS. */
public final class ConfluenceStandIn extends StandIn {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String CONTENT = "/rest/api/content";
    private static final String SPACE = "PROJECTS";
    private static final Set<String> SPACES = Set.of(SPACE, "OPS");

    /** What is shown of a page that was made or changed, unless said. */
    private static final String ALL = "version,space,body";

    private final Map<String, ObjectNode> pages = new ConcurrentSkipListMap<>();
    private final Map<String, ObjectNode> versions = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger(123_456);

    public ConfluenceStandIn(String token) {
        super(token);
    }

    /** All pages, as they are. */
    public List<ObjectNode> pages() {
        return List.copyOf(pages.values());
    }

    /**
     * Somebody makes a page.
     *
     * @param key what its property says; none if it is empty
     */
    public String page(String title, String body, String key) {
        ObjectNode page = JSON.createObjectNode().put("type", "page").put("title", title);
        page.putObject("space").put("key", SPACE);
        page.putObject("body").putObject("storage").put("value", body).put("representation", "storage");
        if (!key.isEmpty()) {
            page.putObject("metadata")
                    .putObject("properties")
                    .putObject("flowstone")
                    .putObject("value")
                    .put("key", key);
        }
        return keep(page).path("id").asString();
    }

    /** Somebody changes a page. */
    public void change(String id, String body) {
        ObjectNode page = Objects.requireNonNull(pages.get(id));
        ObjectNode version = JSON.createObjectNode()
                .put("number", page.path("version").path("number").asInt() + 1);
        ObjectNode changed = page.deepCopy();
        changed.putObject("body").putObject("storage").put("value", body).put("representation", "storage");
        next(page, changed, version);
    }

    /** The version before stays, as content of its own. */
    private void next(ObjectNode page, JsonNode changed, JsonNode version) {
        String id = page.path("id").asString();
        ObjectNode old = page.deepCopy();
        versions.put(
                id + "/" + page.path("version").path("number").asInt(),
                old.put("id", String.valueOf(ids.getAndIncrement())).put("status", "historical"));
        page.set("title", changed.path("title"));
        page.set("body", changed.path("body"));
        page.set("version", version);
    }

    @Override
    protected String root() {
        return "/wiki";
    }

    @Override
    protected Reply unauthenticated(String shown) {
        return Reply.html(401, "<html>Client must be authenticated to access this resource.</html>");
    }

    @Override
    protected Reply status(int status, Got request) {
        Reply reply = wrong(
                status,
                "com.atlassian.confluence.api.service.exceptions.ServiceException: for "
                        + request.header("Authorization"));
        return status == 429 || status == 503 ? reply.with("Retry-After", String.valueOf(PAUSE)) : reply;
    }

    private static Reply wrong(int status, String message) {
        ObjectNode answer = JSON.createObjectNode().put("statusCode", status);
        answer.putObject("data")
                .put("authorized", status != 403)
                .put("valid", status != 400)
                .put("successful", false)
                .putArray("errors");
        return Reply.json(status, answer.put("message", message));
    }

    @Override
    protected Reply answer(Got request) {
        String id = request.path().startsWith(CONTENT + "/") ? request.path().substring(CONTENT.length() + 1) : "";
        return switch (request.method()) {
            case "GET" -> id.isEmpty() ? found(request) : shown(id, request);
            case "POST" -> created(request);
            case "PUT" -> updated(id, request);
            default -> wrong(405, "HTTP 405 Method Not Allowed");
        };
    }

    private Reply found(Got request) {
        ObjectNode answer = JSON.createObjectNode();
        var results = answer.putArray("results");
        titled(request.of("spaceKey"), request.of("title"))
                .ifPresent(page -> results.add(expanded(page, request.of("expand"))));
        return Reply.json(200, answer.put("start", 0).put("limit", 1).put("size", results.size()));
    }

    private Optional<ObjectNode> titled(String space, String title) {
        return pages.values().stream()
                .filter(page -> page.path("title").asString("").equals(title))
                .filter(page -> page.path("space").path("key").asString("").equals(space))
                .findFirst();
    }

    private Reply shown(String id, Got request) {
        ObjectNode page = request.of("status").equals("historical")
                ? versions.get(id + "/" + request.of("version"))
                : pages.get(id);
        return page == null ? missing(id) : Reply.json(200, expanded(page, request.of("expand")));
    }

    private static Reply missing(String id) {
        return wrong(404, "No content found with id: ContentId{id=" + id + "}");
    }

    /** Only what was asked for is shown. */
    private static ObjectNode expanded(ObjectNode page, String expand) {
        ObjectNode shown = page.deepCopy();
        for (String part : List.of("version", "space", "body", "metadata")) {
            if (!expand.contains(part)) {
                shown.remove(part);
            }
        }
        return shown;
    }

    private Reply created(Got request) {
        JsonNode body = request.json();
        String space = body.path("space").path("key").asString("");
        String title = body.path("title").asString("");
        if (!body.path("type").asString("").equals("page") || title.isEmpty()) {
            return wrong(400, "com.atlassian.confluence.api.service.exceptions.BadRequestException: title and type");
        }
        if (!SPACES.contains(space)) {
            return wrong(404, "No space with key : " + space);
        }
        if (titled(space, title).isPresent()) {
            return wrong(
                    400,
                    "com.atlassian.confluence.api.service.exceptions.BadRequestException: A page with this title"
                            + " already exists: A page already exists with the title " + title
                            + " in the space with key " + space);
        }
        for (JsonNode ancestor : body.path("ancestors")) {
            if (!pages.containsKey(ancestor.path("id").asString(""))) {
                return missing(ancestor.path("id").asString(""));
            }
        }
        return Reply.json(200, expanded(keep((ObjectNode) body), madeShows(request)));
    }

    private static String madeShows(Got request) {
        return request.of("expand").isEmpty() ? ALL : request.of("expand");
    }

    private ObjectNode keep(ObjectNode body) {
        String id = String.valueOf(ids.getAndIncrement());
        ObjectNode page = body.deepCopy().put("id", id).put("status", "current");
        page.putObject("version").put("number", 1);
        page.putObject("_links").put("base", "https://wiki.example.com").put("webui", "/display/PROJECTS/" + id);
        pages.put(id, page);
        return page;
    }

    private Reply updated(String id, Got request) {
        ObjectNode page = pages.get(id);
        if (page == null) {
            return missing(id);
        }
        JsonNode body = request.json();
        JsonNode version = body.path("version");
        if (!version.path("number").isInt() || body.path("title").asString("").isEmpty()) {
            return wrong(400, "com.atlassian.confluence.api.service.exceptions.BadRequestException: version and title");
        }
        int current = page.path("version").path("number").asInt();
        if (version.path("number").asInt() != current + 1) {
            return wrong(
                    409,
                    "com.atlassian.confluence.api.service.exceptions.ConflictException: Version must be incremented on"
                            + " update. Current version is: " + current);
        }
        next(page, body, version);
        return Reply.json(200, expanded(page, madeShows(request)));
    }
}
