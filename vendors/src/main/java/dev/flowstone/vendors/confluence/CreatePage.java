package dev.flowstone.vendors.confluence;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.vendors.confluence.CreatePage.Created;
import dev.flowstone.vendors.confluence.CreatePage.Parameters;
import dev.flowstone.vendors.web.Fault;
import dev.flowstone.vendors.web.Ids;
import dev.flowstone.vendors.web.Made;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code confluence.create-page}: makes a page, once. A title is there once in a space, and each page that is made has the key it was made
 * under in a property: so a repetition finds its own, and takes nobody else's for it.
 */
final class CreatePage implements Action<Parameters, Created> {
    private final ConfluenceApi api;

    CreatePage(ConfluenceApi api) {
        this.api = api;
    }

    record Parameters(
            @Param(value = "the key of its space", minLength = 1, maxLength = 255)
            String space,

            @Param(value = "its title, which no other page of the space has", minLength = 1, maxLength = 255)
            String title,

            @Param(value = "what it says, in Confluence's storage format; nothing unless said", maxLength = 1_000_000)
            Optional<String> body,

            @Param("the id of the page below which it is") Optional<JsonNode> parentId,

            @Param(
                    value = "by which it is known in this space: executions with the same one make one page",
                    minLength = 1,
                    maxLength = 150)
            Optional<String> reference) {}

    record Created(
            String pageId,
            @Param("where people see it") String url,
            @Param("whether this attempt made it") boolean isNew) {}

    @Override
    public ActionSpec<Parameters, Created> spec() {
        return ActionSpec.of("confluence.create-page", Parameters.class, Created.class)
                .described("Create page", "Makes a page in a space, once however often it is tried.")
                .category("Document", "page", "wiki", "publish")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        List<ParameterFault> faults = new ArrayList<>(
                wanted.parentId().map(id -> Ids.check("/parentId", id)).orElse(List.of()));
        faults.addAll(Made.check(wanted.space(), wanted.reference()));
        return faults;
    }

    @Override
    public ActionResult<Created> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        Made made = Made.by(context, "confluence", "page", wanted.space(), wanted.reference());
        Optional<ResourceLink> linked = made.find(context);
        if (linked.isPresent()) {
            ResourceLink link = linked.get();
            return ActionResult.succeeded(new Created(link.id(), link.url().orElse(""), false), link);
        }
        ConfluenceApi.Attempt confluence = api.attempt(context);
        Optional<Page> before = own(confluence, wanted, made);
        if (before.isPresent()) {
            return done(before.get(), made, false);
        }
        try {
            return done(confluence.create(page(wanted, made.marker())), made, true);
        } catch (ActionFailure e) {
            // A call that nobody waits for any more may have made it just now.
            Optional<Page> meanwhile =
                    e.result().code().equals(Fault.REFUSED.code()) ? own(confluence, wanted, made) : Optional.empty();
            if (meanwhile.isEmpty()) {
                throw e;
            }
            return done(meanwhile.get(), made, false);
        }
    }

    /** The page of that title, if it was made under this key. */
    private static Optional<Page> own(ConfluenceApi.Attempt confluence, Parameters wanted, Made made)
            throws ActionFailure, InterruptedException {
        Optional<Page> there = confluence.find(wanted.space(), wanted.title(), false);
        if (there.isPresent() && !there.get().marker().equals(made.marker())) {
            throw Fault.CONFLICT.at(
                    ConfluenceApi.CONFLUENCE,
                    "page " + there.get().id() + " of the space " + wanted.space()
                            + " has that title already: choose another one, or change that page with"
                            + " confluence.update-page");
        }
        return there;
    }

    private static ActionResult<Created> done(Page page, Made made, boolean isNew) throws ActionFailure {
        String id = ConfluenceApi.CONFLUENCE.told(page.json(), "id");
        return ActionResult.succeeded(new Created(id, page.url(), isNew), made.link(id, Optional.of(page.url())));
    }

    private static ObjectNode page(Parameters wanted, String key) {
        ObjectNode page =
                JsonNodeFactory.instance.objectNode().put("type", "page").put("title", wanted.title());
        page.putObject("space").put("key", wanted.space());
        wanted.parentId().ifPresent(id -> page.putArray("ancestors").addObject().put("id", Ids.text(id)));
        page.set("body", ConfluenceApi.storage(wanted.body().orElse("")));
        page.putObject("metadata")
                .putObject("properties")
                .putObject(ConfluenceApi.MARKER)
                .putObject("value")
                .put("key", key);
        return page;
    }
}
