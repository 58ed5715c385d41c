package dev.flowstone.sdk.worker;

import java.util.Locale;

/** What is to be done about a failure. */
public enum ErrorClass {
    /** Trying again may help. */
    RETRYABLE,
    /** It won't. */
    PERMANENT,
    /** Somebody forbids it; it won't either. */
    POLICY_DENIED,
    /** The other side has had enough for now. */
    EXTERNAL_LIMIT;

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
