package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One route.
 *
 * @param path a template whose variable segments stand in braces, {@code /workflows/{id}/publish}
 * @param scope what the caller must be allowed to do
 * @param query the parameters that it takes; any other is refused
 * @param waits for what a call waits
 * @param budget that calls count against where they are limited
 * @param doc what the API's document says of it
 * @param whose place they take in what tenants share
 */
public record Route(
        Method method,
        String path,
        Scope scope,
        List<Parameter> query,
        BodyRule body,
        Waits waits,
        Budget budget,
        Optional<Doc> doc,
        Whose whose,
        Handler handler) {
    public Route {
        requireNonNull(method);
        requireNonNull(scope);
        query = List.copyOf(query);
        requireNonNull(body);
        requireNonNull(waits);
        requireNonNull(budget);
        requireNonNull(doc);
        requireNonNull(whose);
        requireNonNull(handler);
        Set<String> names = new HashSet<>();
        for (Parameter parameter : query) {
            if (!names.add(parameter.name())) {
                throw new IllegalArgumentException(path + " declares '" + parameter.name() + "' twice");
            }
        }
        if (doc.isPresent() && doc.get().request().isPresent() != (body != BodyRule.NONE)) {
            throw new IllegalArgumentException(path + ": its documentation says otherwise about a body");
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a route's path begins with a slash: " + path);
        }
    }

    public static Route get(String path, Scope scope, Doc doc, Handler handler) {
        return of(Method.GET, path, scope, doc, BodyRule.NONE, handler);
    }

    public static Route post(String path, Scope scope, Doc doc, BodyRule body, Handler handler) {
        return of(Method.POST, path, scope, doc, body, handler);
    }

    public static Route put(String path, Scope scope, Doc doc, BodyRule body, Handler handler) {
        return of(Method.PUT, path, scope, doc, body, handler);
    }

    public static Route patch(String path, Scope scope, Doc doc, BodyRule body, Handler handler) {
        return of(Method.PATCH, path, scope, doc, body, handler);
    }

    public static Route delete(String path, Scope scope, Doc doc, Handler handler) {
        return of(Method.DELETE, path, scope, doc, BodyRule.NONE, handler);
    }

    private static Route of(Method method, String path, Scope scope, Doc doc, BodyRule body, Handler handler) {
        return new Route(
                method,
                path,
                scope,
                doc.query(),
                body,
                Waits.NOT,
                Budget.of(scope),
                Optional.of(doc),
                Whose.CALLERS,
                handler);
    }

    /** One that the API's document doesn't know; whatever is served has to be in it. */
    public static Route get(String path, Scope scope, Set<String> query, Handler handler) {
        return of(Method.GET, path, scope, query, BodyRule.NONE, handler);
    }

    /** One that the API's document doesn't know; whatever is served has to be in it. */
    public static Route post(String path, Scope scope, Set<String> query, BodyRule body, Handler handler) {
        return of(Method.POST, path, scope, query, body, handler);
    }

    /** One that the API's document doesn't know; whatever is served has to be in it. */
    public static Route put(String path, Scope scope, BodyRule body, Handler handler) {
        return of(Method.PUT, path, scope, Set.of(), body, handler);
    }

    /** One that the API's document doesn't know; whatever is served has to be in it. */
    public static Route delete(String path, Scope scope, Set<String> query, Handler handler) {
        return of(Method.DELETE, path, scope, query, BodyRule.NONE, handler);
    }

    private static Route of(
            Method method, String path, Scope scope, Set<String> query, BodyRule body, Handler handler) {
        return new Route(
                method,
                path,
                scope,
                named(query),
                body,
                Waits.NOT,
                Budget.of(scope),
                Optional.empty(),
                Whose.CALLERS,
                handler);
    }

    /** The same for calls that wait for the engine's commit. */
    public Route waiting(Waits what) {
        return new Route(method, path, scope, query, body, what, budget, doc, whose, handler);
    }

    /** The same whose calls count against that. */
    public Route counting(Budget what) {
        return new Route(method, path, scope, query, body, waits, what, doc, whose, handler);
    }

    /** The same whose calls stand in that place. */
    public Route inPlaceOf(Whose place) {
        return new Route(method, path, scope, query, body, waits, budget, doc, place, handler);
    }

    /** Whoever takes where a page ended under one word takes it under the other. */
    private static List<Parameter> named(Set<String> query) {
        Set<String> names = new TreeSet<>(query);
        if (names.contains(Page.AFTER)) {
            names.add(Page.CURSOR);
        }
        return names.stream().map(Parameter::named).toList();
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
