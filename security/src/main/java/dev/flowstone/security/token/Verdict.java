package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

/** What comes of a token. */
public sealed interface Verdict {
    /** It is one of the issuer's, for us, and good now. */
    record Accepted(Token token) implements Verdict {
        public Accepted {
            requireNonNull(token);
        }
    }

    /**
     * It isn't.
     *
     * @param detail what is wrong and what to do, a sentence without what is secret
     */
    record Refused(Refusal refusal, String detail) implements Verdict {
        public Refused {
            requireNonNull(refusal);
            requireNonNull(detail);
        }
    }

    /** Nobody can say: the issuer's keys have not been had, or were had too long ago. */
    record Undecided() implements Verdict {}
}
