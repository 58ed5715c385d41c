package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.metric.Meters;

/** What Prometheus scrapes. It names tenants and workflows, so it is for who runs the installation. */
final class MetricsRoute {
    private final Meters meters;

    MetricsRoute(Meters meters) {
        this.meters = requireNonNull(meters);
    }

    Route route() {
        return Route.get("/metrics", Scope.METRICS_READ, SystemDocs.METRICS, this::scrape);
    }

    private Reply scrape(Call call) throws ProblemException {
        Meters.Text text = meters.text(call.headers().single("Accept").orElse(""));
        return Reply.text(text.mediaType(), text.text());
    }
}
