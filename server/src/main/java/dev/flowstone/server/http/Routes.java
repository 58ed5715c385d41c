package dev.flowstone.server.http;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every route there is; finds the one that a request means. Literal segments win over variable ones. */
public final class Routes {
    private final List<Route> routes;

    /** By how many segments their paths have: a path is compared with those of its length only. */
    private final Map<Integer, List<Template>> byLength = new HashMap<>();

    public Routes(List<Route> routes) {
        this.routes = List.copyOf(routes);
        Set<String> shapes = new HashSet<>();
        for (Route route : routes) {
            if (!shapes.add(route.method() + " " + route.path().replaceAll("\\{[^}]*}", "{}"))) {
                throw new IllegalArgumentException("two routes for " + route);
            }
            String[] segments = route.path().split("/", -1);
            byLength.computeIfAbsent(segments.length, _ -> new ArrayList<>()).add(new Template(route, segments));
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Template(Route route, String[] segments) {}

    /** In the order in which they were declared. */
    public List<Route> all() {
        return routes;
    }

    /** What a path leads to. */
    sealed interface Found {
        /** This route, with the values of its path's variables, decoded. */
        record Match(Route route, Map<String, String> variables) implements Found {}

        /** Routes for this path exist, under these methods only. */
        record OtherMethods(Set<Method> methods) implements Found {}

        /** Nothing. */
        record Nothing() implements Found {}
    }

    /** Looks a raw (still percent-encoded) path up. */
    Found find(String method, String rawPath) throws ProblemException {
        String[] segments = Percent.segments(rawPath);
        Set<Method> methods = EnumSet.noneOf(Method.class);
        List<Found.Match> matches = new ArrayList<>();
        for (Template template : byLength.getOrDefault(segments.length, List.of())) {
            Route route = template.route();
            Map<String, String> variables = new LinkedHashMap<>();
            if (matches(template.segments(), segments, variables)) {
                methods.add(route.method());
                if (route.method().name().equals(method)) {
                    matches.add(new Found.Match(route, variables));
                }
            }
        }
        if (!matches.isEmpty()) {
            return matches.stream()
                    .min((a, b) ->
                            Integer.compare(a.variables().size(), b.variables().size()))
                    .orElseThrow();
        }
        return methods.isEmpty() ? new Found.Nothing() : new Found.OtherMethods(methods);
    }

    private static boolean matches(String[] template, String[] segments, Map<String, String> variables) {
        for (int i = 0; i < template.length; i++) {
            if (template[i].startsWith("{")) {
                if (segments[i].isEmpty()) {
                    return false;
                }
                variables.put(template[i].substring(1, template[i].length() - 1), segments[i]);
            } else if (!template[i].equals(segments[i])) {
                return false;
            }
        }
        return true;
    }
}
