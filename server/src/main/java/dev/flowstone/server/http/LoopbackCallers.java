package dev.flowstone.server.http;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Callers of a server that listens on the loopback interface only: whoever can reach it is trusted, and names the tenant
 * in a header.
 */
public final class LoopbackCallers implements Callers {
    public static final String TENANT = "Flowstone-Tenant";
    public static final TenantId DEFAULT_TENANT = new TenantId("default");

    private static final Actor SYSTEM = new Actor("user", "system");
    private static final Set<Scope> EVERYTHING = Set.of(Scope.values());
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    @Override
    public Caller identify(Headers headers) throws ProblemException {
        Optional<String> name = headers.single(TENANT);
        if (name.isPresent() && !NAME.matcher(name.get()).matches()) {
            throw Problem.of(
                            ProblemCode.INVALID_REQUEST,
                            "the header " + TENANT + " takes 1 to 63 letters, digits, dots, underscores and hyphens,"
                                    + " the first a letter or digit")
                    .exception();
        }
        return new Caller(name.map(TenantId::new).orElse(DEFAULT_TENANT), SYSTEM, EVERYTHING);
    }
}
