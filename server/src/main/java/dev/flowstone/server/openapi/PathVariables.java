package dev.flowstone.server.openapi;

import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the variables of paths are: those that several routes have, by where they stand; others say it themselves. */
final class PathVariables {
    private static final int NAME = 200;
    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]+)}");

    /** What a variable behind this beginning of a path is. */
    private record Known(String prefix, Parameter variable) {}

    private static final List<Known> KNOWN = List.of(
            new Known("/api/v1/workflows/", Parameter.text("id", NAME, "The workflow's id.")),
            new Known("/api/v1/executions/", Parameter.text("id", NAME, "The execution's id.")),
            new Known(
                    "/api/v1/executions/{id}/tasks/",
                    Parameter.text(
                            "activation",
                            NAME + 11,
                            "The node and its visit, such as `review#1`, whose hash is written `%23`.")),
            new Known(
                    "/api/v1/executions/{id}/attestations/",
                    Parameter.text("attestation", NAME, "The attestation's id.")),
            new Known(
                    "/api/v1/executions/{id}/timers/",
                    Parameter.text("timer", NAME, "The timer's name; a hash in it is written `%23`.")),
            new Known(
                    "/api/v1/executions/{id}/incidents/",
                    Parameter.text("incident", NAME, "The number of the event that raised it.")),
            new Known("/api/v1/policies/", Parameter.text("name", NAME, "The policy's name.")),
            new Known("/api/v1/outbox/", Parameter.text("message", NAME, "The message's key, `RUN:EVENT:NUMBER`.")),
            new Known("/api/v1/subscriptions/", Parameter.text("name", NAME, "The subscription's name.")));

    private PathVariables() {}

    /** Those of a route, in their order. */
    static List<Parameter> of(Route route) {
        Matcher matcher = VARIABLE.matcher(route.path());
        return matcher.results()
                .map(found -> of(route, route.path().substring(0, found.start()), found.group(1)))
                .toList();
    }

    private static Parameter of(Route route, String prefix, String name) {
        Optional<Parameter> own = route.doc().map(Doc::path).orElse(List.of()).stream()
                .filter(variable -> variable.name().equals(name))
                .findFirst();
        return own.or(() -> KNOWN.stream()
                        .filter(known -> known.prefix().equals(prefix)
                                && known.variable().name().equals(name))
                        .map(Known::variable)
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException(route + " doesn't say what {" + name
                        + "} is: give its Doc a .path(Parameter.text(\"" + name + "\", 200, \"…\"))"));
    }
}
