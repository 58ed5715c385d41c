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
        CompactJws jws = CompactJws.parse(text, rules);
        Optional<KeySet> known = keys.keys();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        if (!verifies(known.get(), jws) && !isSignedByNewKey(jws, known.get())) {
            throw RefusedToken.badSignature();
        }
        return Optional.of(jws);
    }

    /** Whatever these keys lack, others may have it: one that is new, or has taken the place of one of the same name or of none. */
    private boolean isSignedByNewKey(CompactJws jws, KeySet known) throws InterruptedException {
        Optional<KeySet> other = keys.after(known);
        return other.isPresent() && verifies(other.get(), jws);
    }

    /** Where several would fit there is no choice. */
    private static boolean verifies(KeySet keys, CompactJws jws) {
        List<VerificationKey> fitting = keys.fitting(jws.kid(), jws.algorithm());
        return fitting.size() == 1 && fitting.getFirst().verifies(jws);
    }
}
