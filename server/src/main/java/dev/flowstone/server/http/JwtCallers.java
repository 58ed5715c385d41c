package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.security.token.Token;
import dev.flowstone.security.token.TokenVerifier;
import dev.flowstone.security.token.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Callers who show a token of the issuer's: of the tenant that it names, and of no other, whatever they say and whatever scopes it has.
 * Beside them, if there is one, whoever has the installation's secret; and, where that is allowed, callers without a token.
 */
public final class JwtCallers implements Callers {
    private static final Duration RETRY = Duration.ofSeconds(30);

    private final TokenVerifier verifier;
    private final Optional<TokenCallers> operators;
    private final Optional<Callers> loose;

    /**
     * Such callers.
     *
     * @param operators who have the installation's secret
     * @param loose who tells of a request without a token who its caller is; empty if each must have one
     */
    public JwtCallers(TokenVerifier verifier, Optional<TokenCallers> operators, Optional<Callers> loose) {
        this.verifier = requireNonNull(verifier);
        this.operators = requireNonNull(operators);
        this.loose = requireNonNull(loose);
    }

    @Override
    public Caller identify(Headers headers) throws ProblemException {
        Optional<String> sent = headers.single(Bearer.HEADER);
        if (sent.isEmpty() && loose.isPresent()) {
            return loose.get().identify(headers);
        }
        String token = Bearer.token(sent);
        if (operators.isPresent() && operators.get().isTheirs(token)) {
            return operators.get().identify(headers);
        }
        return switch (verdict(token)) {
            case Verdict.Accepted(Token it) -> caller(it);
            case Verdict.Refused(var refusal, String detail) ->
                throw Bearer.invalid(refusal.name(), "the token sent as Authorization is refused: " + detail);
            case Verdict.Undecided() -> throw undecided();
        };
    }

    private Verdict verdict(String token) throws ProblemException {
        try {
            return verifier.verify(token);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw undecided();
        }
    }

    private static Caller caller(Token token) {
        Set<Scope> scopes = new HashSet<>(Scope.ofATenant(token.scopes()));
        scopes.add(Scope.PUBLIC);
        return new Caller(
                Caller.Standing.TENANT,
                token.tenant(),
                token.principal(),
                token.roles(),
                scopes,
                new Caller.Profile(token.name(), token.email()),
                Optional.of(token.until()));
    }

    /** Of a token's caller; others name themselves in headers. */
    @Override
    public void check(Caller caller, Headers headers) throws ProblemException {
        if (caller.standing() != Caller.Standing.TENANT) {
            return;
        }
        Optional<String> tenant = headers.single(LoopbackCallers.TENANT);
        if (tenant.isPresent() && !tenant.get().equals(caller.tenant().value())) {
            throw foreign(LoopbackCallers.TENANT, "its tenant is '" + caller.tenant() + "'");
        }
        Optional<String> principal = headers.single(LoopbackCallers.PRINCIPAL);
        if (principal.isPresent() && !principal.get().equals(caller.principal().toString())) {
            throw foreign(LoopbackCallers.PRINCIPAL, "it names another principal");
        }
        if (headers.single(LoopbackCallers.ROLES).isPresent()) {
            throw foreign(LoopbackCallers.ROLES, "it names the roles itself");
        }
    }

    private static ProblemException foreign(String header, String why) {
        return Problem.of(
                        ProblemCode.FORBIDDEN,
                        "the token says who calls, and " + why + ": leave the header " + header + " out")
                .exception();
    }

    private static ProblemException undecided() {
        return Problem.of(
                        ProblemCode.KEYS_UNAVAILABLE,
                        "the keys of the tokens' issuer can't be had right now; nothing was done, try again")
                .retryAfter(RETRY)
                .exception();
    }
}
