package dev.flowstone.server.effect;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a workflow wants of an answer's body. */
enum ResponseForm {
    /** JSON if it says that it is and is, else text, else Base64. */
    AUTO,
    /** JSON, or the task fails. */
    JSON,
    TEXT,
    BASE64,
    /** Nothing of it. */
    NONE;

    /** By its name in lower case. */
    static Optional<ResponseForm> named(String name) {
        return Arrays.stream(values())
                .filter(form -> form.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }
}
