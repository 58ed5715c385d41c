package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.openapi.OpenApi;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API's document. It says nothing of any tenant, and is made when it is first asked for. */
final class OpenApiRoute {
    private static final String PATH = "/api/v1/openapi.json";

    private final Supplier<OpenApi> api;
    private volatile @Nullable Reply made;

    /** @param api of all routes, this one too, once they are known */
    OpenApiRoute(Supplier<OpenApi> api) {
        this.api = requireNonNull(api);
    }

    Route route() {
        return Route.get(PATH, Scope.PUBLIC, SystemDocs.DOCUMENT, this::show);
    }

    private Reply show(Call call) {
        Reply known = made;
        if (known == null) {
            byte[] bytes = CanonicalJson.exact(api.get().document());
            known = Reply.bytes("application/json", bytes)
                    .etag(Sha256.digest(bytes).toString().substring(0, 16));
            made = known;
        }
        return known;
    }
}
