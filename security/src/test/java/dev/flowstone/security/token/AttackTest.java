package dev.flowstone.security.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.token.Issuer;
import dev.flowstone.testkit.token.TokenAttack;
import dev.flowstone.testkit.token.TokenAttacks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Complete tokens of each kind of attack: each is refused for its reason, and nothing is thrown. */
final class AttackTest {
    private static final Issuer GOOD = new Issuer();

    static List<TokenAttack> attacks() {
        return TokenAttacks.of(GOOD, new Issuer(), Issuer.NOW);
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isRefused(TokenAttack attack) throws InterruptedException {
        Verdict verdict = Verifiers.of(GOOD).verify(attack.token());

        assertTrue(verdict instanceof Verdict.Refused, () -> attack + ": " + verdict);
        Verdict.Refused refused = (Verdict.Refused) verdict;
        assertEquals(attack.refusal(), refused.refusal().name(), refused::detail);
        assertTrue(refused.detail().chars().noneMatch(Character::isISOControl), refused::detail);
        assertTrue(refused.detail().length() < 300, refused::detail);
    }

    /** One bit of a good token, wherever it is, makes it another. */
    @Test
    void noBitOfItCanBeChanged() throws InterruptedException {
        TokenVerifier verifier = Verifiers.of(GOOD);
        byte[] good = Issuer.token("{\"alg\":\"ES256\",\"kid\":\"ec\"}", Issuer.claims(), GOOD::es256)
                .getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < good.length; at++) {
            byte[] changed = Arrays.copyOf(good, good.length);
            changed[at] ^= 1;
            Verdict verdict = verifier.verify(new String(changed, StandardCharsets.US_ASCII));
            assertTrue(verdict instanceof Verdict.Refused, "character " + at);
        }
    }
}
