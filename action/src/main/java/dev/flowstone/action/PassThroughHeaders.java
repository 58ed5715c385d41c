package dev.flowstone.action;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The headers by which the other side learns for whom a call is made (dataflow.md §12.5.3): {@code Authorization},
 * {@code X-Acting-User-Id}, {@code X-Acting-User-Email}, {@code X-Acting-User-Name}, {@code X-Correlation-Id}; one whose value isn't known
 * is left out. In the values of all but the first everything that isn't printable ASCII, and {@code %}, is percent-encoded UTF-8, so that none can
 * break out of its header.
 */
public final class PassThroughHeaders {
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int LAST_PRINTABLE = 0x7e;

    private PassThroughHeaders() {}

    /** By name, in the order above. */
    public static Map<String, String> of(ActionContext context, Optional<Credential> bearer) {
        Requester requester = context.requester();
        Map<String, String> headers = new LinkedHashMap<>();
        bearer.ifPresent(token -> headers.put("Authorization", "Bearer " + token.reveal()));
        headers.put("X-Acting-User-Id", encoded(requester.userId()));
        requester.email().ifPresent(email -> headers.put("X-Acting-User-Email", encoded(email)));
        requester.displayName().ifPresent(name -> headers.put("X-Acting-User-Name", encoded(name)));
        headers.put("X-Correlation-Id", encoded(context.correlationId()));
        return headers;
    }

    private static String encoded(String value) {
        StringBuilder text = new StringBuilder(value.length());
        for (byte each : value.getBytes(UTF_8)) {
            if (each < FIRST_PRINTABLE || each > LAST_PRINTABLE || each == '%') {
                text.append('%').append(String.format("%02X", each));
            } else {
                text.append((char) each);
            }
        }
        return text.toString();
    }
}
