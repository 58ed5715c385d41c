package dev.flowstone.vendors.confluence;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.vendors.confluence.UpdatePage.Parameters;
import dev.flowstone.vendors.confluence.UpdatePage.Updated;
import dev.flowstone.vendors.web.Fault;
import dev.flowstone.vendors.web.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code confluence.update-page}: makes a page's next version, once: each version has the attempt's key in its message, so that a repetition
 * finds it done, among the newest {@value #LOOKED_AT} versions, whoever made others since. A version that isn't the expected one is a
 * conflict.
 */
final class UpdatePage implements Action<Parameters, Updated> {
    private static final String BY = "Flowstone ";
    private static final int LOOKED_AT = 20;

    private final ConfluenceApi api;

    UpdatePage(ConfluenceApi api) {
        this.api = api;
    }

    record Parameters(
            @Param("the page's id") JsonNode pageId,

            @Param(value = "its title from now on; as it is unless said", minLength = 1, maxLength = 255)
            Optional<String> title,

            @Param(
                    value = "what it says from now on, in Confluence's storage format; as it is unless said",
                    maxLength = 1_000_000)
            Optional<String> body,

            @Param(value = "the version that is changed; whichever there is unless said", min = 1)
            Optional<Integer> expectedVersion) {}

    record Updated(
            String pageId,
            @Param("where people see it") String url,
            @Param("the version that was made") int version) {}

    @Override
    public ActionSpec<Parameters, Updated> spec() {
        return ActionSpec.of("confluence.update-page", Parameters.class, Updated.class)
                .described("Update page", "Changes a page's title, what it says, or both.")
                .category("Document", "page", "wiki")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        List<ParameterFault> faults = new ArrayList<>(Ids.check("/pageId", wanted.pageId()));
        if (wanted.title().isEmpty() && wanted.body().isEmpty()) {
            faults.add(new ParameterFault("/body", "there is a body, a title, or both"));
        }
        return faults;
    }

    @Override
    public ActionResult<Updated> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        ConfluenceApi.Attempt confluence = api.attempt(context);
        Page now = confluence.page(Ids.text(wanted.pageId()), wanted.body().isEmpty());
        String message = BY + context.idempotencyKey();
        OptionalInt before = made(confluence, wanted, now, message, context.attempt() > 1 ? LOOKED_AT : 1);
        if (before.isPresent()) {
            return done(now, before.getAsInt());
        }
        int expected = wanted.expectedVersion().orElse(now.version());
        if (expected != now.version()) {
            throw Fault.CONFLICT.at(
                    ConfluenceApi.CONFLUENCE,
                    "page " + now.id() + " has version " + now.version() + ", not " + expected
                            + ": read it again, and decide again");
        }
        Page made = confluence.update(now.id(), next(wanted, now, message));
        return done(made, made.version());
    }

    /** The version that an attempt before has made: the one behind the expected version, or any. */
    private static OptionalInt made(
            ConfluenceApi.Attempt confluence, Parameters wanted, Page now, String message, int lookedAt)
            throws ActionFailure, InterruptedException {
        Optional<Integer> behind = wanted.expectedVersion().map(expected -> Math.min(expected, now.version()) + 1);
        int newest = behind.map(version -> Math.min(version, now.version())).orElse(now.version());
        int oldest = behind.orElse(Math.max(1, newest - lookedAt + 1));
        for (int version = newest; version >= oldest; version--) {
            Optional<Page> page = version == now.version() ? Optional.of(now) : confluence.was(now.id(), version);
            if (page.isPresent() && page.get().versionMessage().equals(message)) {
                return OptionalInt.of(version);
            }
        }
        return OptionalInt.empty();
    }

    /** A version of old has an id of its own; what is answered is the page's. */
    private static ActionResult<Updated> done(Page page, int version) {
        return ActionResult.succeeded(new Updated(page.id(), page.url(), version));
    }

    private static ObjectNode next(Parameters wanted, Page now, String message) {
        ObjectNode page = JsonNodeFactory.instance
                .objectNode()
                .put("id", now.id())
                .put("type", "page")
                .put("title", wanted.title().orElse(now.title()));
        page.putObject("space").put("key", now.space());
        page.set("body", ConfluenceApi.storage(wanted.body().orElse(now.body())));
        page.putObject("version").put("number", now.version() + 1).put("message", message);
        return page;
    }
}
