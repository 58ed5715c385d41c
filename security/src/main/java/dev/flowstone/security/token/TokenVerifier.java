package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Tells whom a token names, if it is one of the issuer's, for us, and good now. Whatever the text is, it answers a verdict and throws
 * nothing; claims are looked at only after the signature was found to be right. Thread-safe.
 */
public final class TokenVerifier {
    private final TokenRules rules;
    private final JwkSource keys;
    private final InstantSource clock;

    public TokenVerifier(TokenRules rules, JwkSource keys, InstantSource clock) {
        this.rules = requireNonNull(rules);
        this.keys = requireNonNull(keys);
        this.clock = requireNonNull(clock);
    }

    /**
     * Reads a compact JWS; may wait for the issuer's keys as long as their loader does.
     *
     * @throws InterruptedException if the caller was interrupted meanwhile
     */
    public Verdict verify(String text) throws InterruptedException {
        try {
            Optional<CompactJws> signed = signed(text);
            return signed.isEmpty()
                    ? new Verdict.Undecided()
                    : new Verdict.Accepted(new Claims(signed.get().claims(), rules).token(clock.instant()));
        } catch (RefusedToken e) {
            return e.verdict();
        }
    }

    /** What the issuer has signed; empty if there are no keys to tell. */
    Optional<CompactJws> signed(String text) throws RefusedToken, InterruptedException {
        CompactJws jws = CompactJws.parse(text, rules.algorithms());
        Optional<KeySet> known = keys.keys();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        List<VerificationKey> fitting = renewedFor(jws, known.get()).fitting(jws.kid(), jws.algorithm());
        if (fitting.size() != 1 || !fitting.getFirst().verifies(jws)) {
            throw RefusedToken.badSignature();
        }
        return Optional.of(jws);
    }

    /** A key that isn't known may be a new one. */
    private KeySet renewedFor(CompactJws jws, KeySet known) throws InterruptedException {
        return jws.kid().isPresent() && !known.knows(jws.kid().get())
                ? keys.after(known).orElse(known)
                : known;
    }
}
