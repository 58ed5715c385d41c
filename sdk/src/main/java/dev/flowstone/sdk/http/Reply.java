package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpHeaders;

/** What came of a request, before anybody asks what it means. */
public sealed interface Reply {
    /** An answer arrived, whole. */
    @SuppressWarnings("ArrayRecordComponent")
    record Said(int status, HttpHeaders headers, byte[] body) implements Reply {
        public Said {
            requireNonNull(headers);
            requireNonNull(body);
        }
    }

    /** None did. */
    record Lost(Loss loss, String why) implements Reply {
        public Lost {
            requireNonNull(loss);
            requireNonNull(why);
        }
    }

    /** How an answer is lost, which says what may have become of the request. */
    enum Loss {
        /** There was no connection: the server has not seen it. */
        NOT_SENT,
        /** No safe connection: the server has not seen it, and another try meets the same certificate. */
        NOT_TRUSTED,
        /** The connection broke before the answer was whole: the server may have done it. */
        CUT_OFF,
        /** There was no answer in time: the server may have done it, or be at it. */
        TIMED_OUT,
        /** The answer was longer than this side takes: the server has probably done it. */
        TOO_LARGE
    }
}
