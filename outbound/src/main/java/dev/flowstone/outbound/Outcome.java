package dev.flowstone.outbound;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request. Messages name scheme, host and port, never a path, a query, a header or a body: they go to logs and to users.
 */
public sealed interface Outcome {
    /**
     * It was answered, by whatever status.
     *
     * @param body as it was sent, compressed if it was; at most as many bytes as the client takes
     * @param truncated whether there was more of the body
     * @param pause what {@code Retry-After} asked for, bounded
     * @param redirects that were followed to get here
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(
            int status,
            List<HttpHeader> headers,
            byte[] body,
            boolean truncated,
            @Nullable Duration pause,
            int redirects)
            implements Outcome {
        public Answer {
            headers = List.copyOf(headers);
        }

        /** How long the server asked to be left alone ({@code Retry-After}), if it did. */
        public Optional<Duration> retryAfter() {
            return Optional.ofNullable(pause);
        }

        /** The values of a header, whatever the case of its name. */
        public List<String> values(String name) {
            return headers.stream()
                    .filter(header -> header.name().equalsIgnoreCase(name))
                    .map(HttpHeader::value)
                    .toList();
        }

        @Override
        public String toString() {
            return "Answer[" + status + ", " + body.length + " bytes" + (truncated ? ", truncated]" : "]");
        }
    }

    /** There is no answer. */
    sealed interface Failure extends Outcome {
        /** Stable, in upper case: what programs decide by. */
        String code();

        /** What was wrong, where, and what to do. */
        String message();

        /** Whether the request can't have reached anybody; if not, it may have been done. */
        boolean unsent();
    }

    /** Not sent, or after a redirect not sent on, by rule: trying again is of no use. */
    record Refused(Refusal refusal, String message, boolean unsent) implements Failure {
        public Refused(Refusal refusal, String message) {
            this(refusal, message, true);
        }

        @Override
        public String code() {
            return "OUTBOUND_REFUSED";
        }
    }

    /** The host's name has no address, as far as is known. */
    record Unresolved(String message, boolean unsent) implements Failure {
        @Override
        public String code() {
            return "OUTBOUND_UNRESOLVED";
        }
    }

    /** Nobody took the connection, at none of the addresses. */
    record Unreachable(String message, boolean unsent) implements Failure {
        @Override
        public String code() {
            return "OUTBOUND_UNREACHABLE";
        }
    }

    /** The deadline passed first. */
    record TimedOut(String message, boolean unsent) implements Failure {
        @Override
        public String code() {
            return "OUTBOUND_TIMEOUT";
        }
    }

    /**
     * No agreement on encryption, or a certificate that isn't trusted or isn't that host's.
     *
     * @param untrusted whether it is the certificate, which stays so
     */
    record TlsFailed(String message, boolean unsent, boolean untrusted) implements Failure {
        @Override
        public String code() {
            return "OUTBOUND_TLS";
        }
    }

    /** The connection broke, or what came is no HTTP or beyond the limits for headers. */
    record Broken(String message, boolean unsent) implements Failure {
        @Override
        public String code() {
            return "OUTBOUND_BROKEN";
        }
    }

    /** Redirects lead on and on. */
    record TooManyRedirects(String message) implements Failure {
        @Override
        public String code() {
            return "OUTBOUND_TOO_MANY_REDIRECTS";
        }

        @Override
        public boolean unsent() {
            return false;
        }
    }
}
