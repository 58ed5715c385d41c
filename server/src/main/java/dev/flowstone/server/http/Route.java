package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.Set;

/**
 * One route.
 *
 * @param path a template whose variable segments stand in braces, {@code /workflows/{id}/publish}
 * @param scope what the caller must be allowed to do
 * @param query names of the parameters that it takes; any other is refused
 * @param waits for what a call waits
 * @param budget that calls count against where they are limited
 * @param whose place they take in what tenants share
 */
public record Route(
        Method method,
        String path,
        Scope scope,
        Set<String> query,
        BodyRule body,
        Waits waits,
        Budget budget,
        Whose whose,
        Handler handler) {
    public Route {
        requireNonNull(method);
        requireNonNull(scope);
        query = words(query);
        requireNonNull(body);
        requireNonNull(waits);
        requireNonNull(budget);
        requireNonNull(whose);
        requireNonNull(handler);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a route's path begins with a slash: " + path);
        }
    }

    public static Route get(String path, Scope scope, Set<String> query, Handler handler) {
        return new Route(
                Method.GET, path, scope, query, BodyRule.NONE, Waits.NOT, Budget.of(scope), Whose.CALLERS, handler);
    }

    public static Route post(String path, Scope scope, Set<String> query, BodyRule body, Handler handler) {
        return new Route(Method.POST, path, scope, query, body, Waits.NOT, Budget.of(scope), Whose.CALLERS, handler);
    }

    public static Route put(String path, Scope scope, BodyRule body, Handler handler) {
        return new Route(Method.PUT, path, scope, Set.of(), body, Waits.NOT, Budget.of(scope), Whose.CALLERS, handler);
    }

    public static Route patch(String path, Scope scope, BodyRule body, Handler handler) {
        return new Route(
                Method.PATCH, path, scope, Set.of(), body, Waits.NOT, Budget.of(scope), Whose.CALLERS, handler);
    }

    public static Route delete(String path, Scope scope, Handler handler) {
        return new Route(
                Method.DELETE,
                path,
                scope,
                Set.of(),
                BodyRule.NONE,
                Waits.NOT,
                Budget.of(scope),
                Whose.CALLERS,
                handler);
    }

    public static Route delete(String path, Scope scope, Set<String> query, Handler handler) {
        return new Route(
                Method.DELETE, path, scope, query, BodyRule.NONE, Waits.NOT, Budget.of(scope), Whose.CALLERS, handler);
    }

    /** The same for calls that wait for the engine's commit. */
    public Route waiting(Waits what) {
        return new Route(method, path, scope, query, body, what, budget, whose, handler);
    }

    /** The same whose calls count against that. */
    public Route counting(Budget what) {
        return new Route(method, path, scope, query, body, waits, what, whose, handler);
    }

    /** The same whose calls stand in that place. */
    public Route inPlaceOf(Whose place) {
        return new Route(method, path, scope, query, body, waits, budget, place, handler);
    }

    /** Whoever takes where a page ended under one word takes it under the other. */
    private static Set<String> words(Set<String> query) {
        if (!query.contains(Page.AFTER)) {
            return Set.copyOf(query);
        }
        Set<String> both = new HashSet<>(query);
        both.add(Page.CURSOR);
        return Set.copyOf(both);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
