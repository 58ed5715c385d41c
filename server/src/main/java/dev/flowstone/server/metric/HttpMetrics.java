package dev.flowstone.server.metric;

import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Headers;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Watch;
import org.jspecify.annotations.Nullable;

/** Times calls by their route's template, never by what stands in its place. */
public final class HttpMetrics implements Watch {
    private static final String NO_ROUTE = "none";

    private final Spread calls;

    public HttpMetrics(Meters meters) {
        this.calls = meters.add(new Spread(
                "flowstone_http_request_duration_seconds",
                "Of one call, until its answer is there, or begins to pour.",
                Scale.QUICK,
                1_000,
                "method",
                "route",
                "status"));
    }

    @Override
    public Visit begin(String method, Headers headers) {
        long begin = System.nanoTime();
        return new Visit() {
            private @Nullable Route matched;

            @Override
            public void admitted(Route route, Caller caller, String correlation) {
                matched = route;
            }

            @Override
            public void answered(int status) {
                String path = matched == null ? NO_ROUTE : matched.path();
                // A method that no route has is the client's word, which may be any.
                String verb = matched == null ? NO_ROUTE : matched.method().name();
                calls.cell(verb, path, Integer.toString(status)).add(System.nanoTime() - begin);
            }
        };
    }
}
