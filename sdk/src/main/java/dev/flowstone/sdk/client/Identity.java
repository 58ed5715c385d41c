package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Who calls. The token is asked for at each attempt, so that it may be renewed, and appears nowhere but in its header.
 *
 * @param headers beside it
 */
record Identity(Optional<Supplier<String>> token, Map<String, String> headers) {
    Identity {
        requireNonNull(token);
        headers = Map.copyOf(headers);
        headers.forEach(Identity::check);
    }

    private static void check(String name, String value) {
        if (!name.matches("[A-Za-z0-9-]{1,100}") || !isPlain(value)) {
            throw new IllegalArgumentException("the header '" + name + "' has a value that no header can have");
        }
        if (name.equalsIgnoreCase("Authorization")) {
            throw new IllegalArgumentException(
                    "a token is given by 'token', so that it is kept out of everything else");
        }
    }

    /** ASCII: {@code HttpClient} would send anything else as a question mark, and so as somebody else. */
    private static boolean isPlain(String value) {
        return !value.isBlank() && value.chars().allMatch(c -> c >= ' ' && c < 127);
    }

    Identity as(String principal, List<String> roles) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        all.put("Flowstone-Principal", principal);
        all.remove("Flowstone-Roles");
        if (!roles.isEmpty()) {
            all.put("Flowstone-Roles", String.join(",", roles));
        }
        return new Identity(token, all);
    }

    void sign(HttpRequest.Builder request) {
        headers.forEach(request::setHeader);
        token.ifPresent(provider -> {
            String secret = requireNonNull(provider.get(), "the token's provider gave none");
            if (secret.isEmpty() || !secret.chars().allMatch(c -> c > ' ' && c < 127)) {
                // HttpRequest would say it with the token in its message.
                throw new IllegalStateException("the token's provider gave what no token is: it has blanks or signs");
            }
            request.setHeader("Authorization", "Bearer " + secret);
        });
    }

    /** Without values: somebody may log it. */
    @Override
    public String toString() {
        return "Identity" + headers.keySet() + (token.isPresent() ? " with a token" : "");
    }
}
