package dev.flowstone.connectors.run;

import dev.flowstone.action.FoundLink;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Links of actions as the engine keeps them: the type is {@code system/type}, the content has all four parts. */
final class Links {
    private Links() {}

    static String type(String system, String type) {
        return system + "/" + type;
    }

    static TaskResult.Link kept(ResourceLink link) {
        return new TaskResult.Link(
                type(link.system(), link.type()),
                link.id(),
                JsonObject.builder()
                        .put("system", link.system())
                        .put("type", link.type())
                        .put("id", link.id())
                        .putIfPresent("url", link.url())
                        .build());
    }

    static FoundLink found(LinkLookup.Found found, String system, String type, String id) {
        @Nullable Object url = found.content() instanceof JsonObject content ? content.get("url") : null;
        return new FoundLink(
                found.owner().toString(),
                new ResourceLink(
                        system,
                        type,
                        id,
                        url instanceof JsonString(String text) ? Optional.of(text) : Optional.empty()));
    }
}
