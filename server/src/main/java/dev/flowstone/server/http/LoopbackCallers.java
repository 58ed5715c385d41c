package dev.flowstone.server.http;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.security.token.Subjects;
import dev.flowstone.security.token.TenantNames;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Callers of a server that listens on the loopback interface only: whoever can reach it runs the installation, is trusted,
 * and names the tenant, the principal and its roles in headers.
 */
public final class LoopbackCallers implements Callers {
    public static final String TENANT = "Flowstone-Tenant";
    public static final String PRINCIPAL = "Flowstone-Principal";
    public static final String ROLES = "Flowstone-Roles";
    public static final TenantId DEFAULT_TENANT = new TenantId("default");

    /** Who calls if nobody is named. */
    public static final Actor SYSTEM = new Actor("user", Subjects.SYSTEM);

    private static final Set<Scope> EVERYTHING = Set.of(Scope.values());

    private static final Pattern ACTOR = Pattern.compile("(user|service):[!-~]{1,200}");
    private static final Pattern ROLE = Pattern.compile("[!-+\\--~]{1,200}");
    private static final int MOST_ROLES = 50;

    @Override
    public Caller identify(Headers headers) throws ProblemException {
        Optional<String> name = headers.single(TENANT);
        if (name.isPresent() && !TenantNames.isName(name.get())) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, "the header " + TENANT + " takes " + TenantNames.RULE)
                    .exception();
        }
        return new Caller(
                Caller.Standing.OPERATOR,
                name.map(TenantId::new).orElse(DEFAULT_TENANT),
                principal(headers),
                roles(headers),
                EVERYTHING);
    }

    private static Actor principal(Headers headers) throws ProblemException {
        Optional<String> actor = headers.single(PRINCIPAL);
        if (actor.isPresent() && !ACTOR.matcher(actor.get()).matches()) {
            throw Query.refused("the header " + PRINCIPAL
                    + " takes user:ID or service:ID, the id of 1 to 200 printable ASCII characters without a space");
        }
        return actor.map(Actor::parse).orElse(SYSTEM);
    }

    private static Set<String> roles(Headers headers) throws ProblemException {
        Set<String> roles = new HashSet<>();
        for (String role : headers.single(ROLES).map(all -> all.split(",", -1)).orElse(new String[0])) {
            if (!ROLE.matcher(role.strip()).matches() || roles.size() == MOST_ROLES) {
                throw Query.refused("the header " + ROLES + " takes at most " + MOST_ROLES
                        + " names of roles with commas between them, each of 1 to 200 printable ASCII characters");
            }
            roles.add(role.strip());
        }
        return roles;
    }
}
