package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request, once the border has let it in.
 *
 * @param variables of the route's path, decoded
 * @param correlation the client's, or a new one
 * @param idempotencyKey the client's, on a mutation
 * @param body empty if none was sent
 * @param tally what it has counted against so far, and where a route counts what else it costs
 */
public record Call(
        Route route,
        Map<String, String> variables,
        Query query,
        Headers headers,
        Caller caller,
        String correlation,
        Optional<String> idempotencyKey,
        Optional<Body> body,
        Tally tally) {
    public Call {
        requireNonNull(route);
        variables = Map.copyOf(variables);
        requireNonNull(query);
        requireNonNull(headers);
        requireNonNull(caller);
        requireNonNull(correlation);
        requireNonNull(idempotencyKey);
        requireNonNull(body);
        requireNonNull(tally);
    }

    public TenantId tenant() {
        return caller.tenant();
    }

    public String variable(String name) {
        return requireNonNull(variables.get(name), name);
    }

    /** The body of a route that requires one. */
    public Body requiredBody() {
        return body.orElseThrow();
    }

    /** The body, or an empty object if none was sent. */
    public Fields fields() throws ProblemException {
        return body.orElseGet(() -> new Body(new byte[] {'{', '}'})).object();
    }

    /** The revision that {@code If-Match} names; empty if the header is missing or a star. */
    public OptionalLong expectedRevision() throws ProblemException {
        Optional<String> match = headers.single("If-Match");
        if (match.isEmpty() || match.get().equals("*")) {
            return OptionalLong.empty();
        }
        if (!match.get().matches("\"r[0-9]{1,18}\"")) {
            throw Query.refused("If-Match takes the ETag of what was read, such as \"r3\"");
        }
        return OptionalLong.of(
                Long.parseLong(match.get().substring(2, match.get().length() - 1)));
    }
}
