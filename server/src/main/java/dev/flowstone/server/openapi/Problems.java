package dev.flowstone.server.openapi;

import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** How a route's calls can be refused: by itself, and by the border, for what the route's declaration says. */
final class Problems {
    private static final List<ProblemCode> EVERYWHERE = List.of(
            ProblemCode.INVALID_REQUEST,
            ProblemCode.URI_TOO_LONG,
            ProblemCode.MISDIRECTED,
            ProblemCode.INTERNAL,
            ProblemCode.BUSY,
            ProblemCode.UNAVAILABLE);
    private static final List<ProblemCode> OF_WHO_CALLS = List.of(
            ProblemCode.UNAUTHENTICATED, ProblemCode.FORBIDDEN, ProblemCode.PROXIED, ProblemCode.KEYS_UNAVAILABLE);
    private static final List<ProblemCode> OF_A_BODY =
            List.of(ProblemCode.MALFORMED_JSON, ProblemCode.BODY_TOO_LARGE, ProblemCode.UNSUPPORTED_MEDIA_TYPE);

    /** What most operations refuse alike, by status. */
    static final SortedMap<Integer, Set<ProblemCode>> SHARED = byStatus(EnumSet.of(
            ProblemCode.UNAUTHENTICATED,
            ProblemCode.FORBIDDEN,
            ProblemCode.PROXIED,
            ProblemCode.URI_TOO_LONG,
            ProblemCode.UNSUPPORTED_MEDIA_TYPE,
            ProblemCode.MISDIRECTED,
            ProblemCode.RATE_LIMITED,
            ProblemCode.INTERNAL,
            ProblemCode.BUSY,
            ProblemCode.KEYS_UNAVAILABLE,
            ProblemCode.UNAVAILABLE));

    /** The shape that is read by whoever compiles it. */
    private static final String DEFINITION = "WorkflowDefinition";

    private static final String LIVE = "/health/live";

    private Problems() {}

    /** By their status. */
    static SortedMap<Integer, Set<ProblemCode>> of(Route route) {
        Set<ProblemCode> all = EnumSet.copyOf(EVERYWHERE);
        route.doc().map(Doc::problems).ifPresent(all::addAll);
        if (route.scope() != Scope.PUBLIC) {
            all.addAll(OF_WHO_CALLS);
        }
        if (route.budget() != Budget.NONE) {
            all.add(ProblemCode.RATE_LIMITED);
        }
        if (route.body() == BodyRule.NONE) {
            // A body where none is taken.
            all.add(ProblemCode.BODY_TOO_LARGE);
        } else {
            all.addAll(OF_A_BODY);
        }
        if (route.doc().flatMap(Doc::request).filter(DEFINITION::equals).isPresent()) {
            // What is no JSON is among its faults.
            all.remove(ProblemCode.MALFORMED_JSON);
        }
        if (route.path().equals(LIVE)) {
            // It asks nobody, and is answered while the server starts.
            all.remove(ProblemCode.UNAVAILABLE);
        }
        all.addAll(ofPath(route.path()));
        return byStatus(all);
    }

    private static SortedMap<Integer, Set<ProblemCode>> byStatus(Set<ProblemCode> all) {
        SortedMap<Integer, Set<ProblemCode>> byStatus = new TreeMap<>();
        all.forEach(code -> byStatus.computeIfAbsent(code.status(), _ -> EnumSet.noneOf(ProblemCode.class))
                .add(code));
        return byStatus;
    }

    /** What isn't there, or is another tenant's. */
    private static List<ProblemCode> ofPath(String path) {
        if (path.startsWith("/api/v1/executions/{id}")) {
            return List.of(ProblemCode.EXECUTION_NOT_FOUND, ProblemCode.EXECUTION_ARCHIVED);
        }
        if (path.startsWith("/api/v1/workflows/{id}")) {
            return List.of(ProblemCode.WORKFLOW_NOT_FOUND);
        }
        if (path.startsWith("/api/v1/subscriptions/{name}")) {
            return List.of(ProblemCode.SUBSCRIPTION_NOT_FOUND);
        }
        return path.startsWith("/api/v1/outbox/{message}") ? List.of(ProblemCode.MESSAGE_NOT_FOUND) : List.of();
    }
}
