package dev.flowstone.connectors.run;

import dev.flowstone.action.FoundLink;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Links of actions as the engine keeps them: the type is {@code system/type}, the key is the link's, the content has its four other parts. */
final class Links {
    private Links() {}

    static String type(String system, String type) {
        return system + "/" + type;
    }

    /** Without secrets where people look; nothing if what names it has one, since it would be another link without. */
    static Optional<TaskResult.Link> kept(ResourceLink link, Hidden secrets) {
        boolean named = Stream.of(link.system(), link.type(), link.id(), link.key())
                .anyMatch(part -> !secrets.in(part).equals(part));
        return named ? Optional.empty() : Optional.of(kept(link, link.url().map(secrets::in)));
    }

    private static TaskResult.Link kept(ResourceLink link, Optional<String> url) {
        return new TaskResult.Link(
                type(link.system(), link.type()),
                link.key(),
                JsonObject.builder()
                        .put("system", link.system())
                        .put("type", link.type())
                        .put("id", link.id())
                        .putIfPresent("url", url)
                        .build());
    }

    static FoundLink found(LinkLookup.Found found, String system, String type, String key) {
        return new FoundLink(
                found.owner().toString(),
                new ResourceLink(system, type, text(found, "id").orElse(key), key, text(found, "url")));
    }

    private static Optional<String> text(LinkLookup.Found found, String name) {
        @Nullable Object value = found.content() instanceof JsonObject content ? content.get(name) : null;
        return value instanceof JsonString(String text) && !text.isEmpty() ? Optional.of(text) : Optional.empty();
    }
}
