package dev.flowstone.vendors.confluence;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.vendors.confluence.GetPage.Parameters;
import dev.flowstone.vendors.confluence.GetPage.Shown;
import dev.flowstone.vendors.web.Fault;
import dev.flowstone.vendors.web.Ids;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code confluence.get-page}: a page by its id, or by its title in its space. */
final class GetPage implements Action<Parameters, Shown> {
    private final ConfluenceApi api;

    GetPage(ConfluenceApi api) {
        this.api = api;
    }

    record Parameters(
            @Param("the page's id; or its space and title") Optional<JsonNode> pageId,

            @Param(value = "the key of its space", minLength = 1, maxLength = 255)
            Optional<String> space,

            @Param(value = "its title", minLength = 1, maxLength = 255)
            Optional<String> title) {}

    record Shown(
            String pageId,
            String space,
            String title,
            int version,

            @Param("what it says, in Confluence's storage format")
            String body,

            @Param("where people see it") String url) {}

    @Override
    public ActionSpec<Parameters, Shown> spec() {
        return ActionSpec.of("confluence.get-page", Parameters.class, Shown.class)
                .described("Get page", "Reads a page.")
                .category("Document", "page", "wiki")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        boolean named = wanted.space().isPresent() && wanted.title().isPresent();
        boolean half = wanted.space().isPresent() != wanted.title().isPresent();
        if (half || named == wanted.pageId().isPresent()) {
            return List.of(new ParameterFault("/pageId", "there is a pageId, or else a space and a title"));
        }
        return wanted.pageId().map(id -> Ids.check("/pageId", id)).orElse(List.of());
    }

    @Override
    public ActionResult<Shown> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        ConfluenceApi.Attempt confluence = api.attempt(context);
        Page page = wanted.pageId().isPresent()
                ? confluence.page(Ids.text(wanted.pageId().get()), true)
                : named(confluence, wanted.space().orElseThrow(), wanted.title().orElseThrow());
        return ActionResult.succeeded(
                new Shown(page.id(), page.space(), page.title(), page.version(), page.body(), page.url()));
    }

    private static Page named(ConfluenceApi.Attempt confluence, String space, String title)
            throws ActionFailure, InterruptedException {
        return confluence
                .find(space, title, true)
                .orElseThrow(() -> Fault.NOT_FOUND.at(
                        ConfluenceApi.CONFLUENCE, "the space " + space + " shows no page of that title"));
    }
}
