package dev.flowstone.server.api;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.security.token.Subjects;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.util.Optional;
import java.util.Set;

/**
 * For whom an execution is started (dataflow.md §12.5.1): whom the body names, else who calls. A user of a tenant starts for nobody
 * else, and is called what the token says, whatever the body does; its services start for users, and who runs the installation for
 * anybody.
 */
record Starter(Actor actor, Optional<String> displayName, Optional<String> email) {
    private static final Set<String> MEMBERS = Set.of("userId", "displayName", "email");

    /** @param required whether it has to be somebody */
    static Starter of(Call call, Fields body, boolean required) throws ProblemException {
        Optional<Fields> principal = body.object("principal");
        Caller caller = call.caller();
        if (principal.isEmpty()) {
            return somebody(required, known(caller));
        }
        Fields named = principal.get().only(MEMBERS);
        Optional<Actor> user = named.text("userId", ExecuteRoute.NAME).map(id -> new Actor("user", id));
        Optional<String> displayName = named.text("displayName", ExecuteRoute.NAME);
        Optional<String> email = named.text("email", ExecuteRoute.NAME);
        boolean self = user.isEmpty() || user.get().equals(caller.principal());
        if (!self && isUserOfATenant(caller)) {
            throw Problem.of(
                            ProblemCode.FORBIDDEN,
                            "the token is " + caller.principal() + "'s, and principal.userId names '"
                                    + Cut.text(user.get().id()) + "': leave it out, or let a service start for others")
                    .exception();
        }
        if (isUserOfATenant(caller)) {
            return known(caller);
        }
        if (caller.standing() == Caller.Standing.TENANT
                && user.map(Actor::id).filter(Subjects::isReserved).isPresent()) {
            throw Problem.of(
                            ProblemCode.FORBIDDEN,
                            "principal.userId '" + user.get().id() + "' stands for nobody in particular: name a user")
                    .exception();
        }
        if (self && caller.standing() == Caller.Standing.TENANT) {
            // What the issuer says of its own principal is known better than what the principal says.
            Starter own = known(caller);
            return new Starter(
                    own.actor(),
                    own.displayName().or(() -> displayName),
                    own.email().or(() -> email));
        }
        return somebody(required, new Starter(user.orElse(caller.principal()), displayName, email));
    }

    private static Starter known(Caller caller) {
        return new Starter(
                caller.principal(),
                caller.profile().displayName().filter(Starter::isStorable),
                caller.profile().email().filter(Starter::isStorable));
    }

    /** Whether it is as a body could say it. */
    private static boolean isStorable(String text) {
        return !text.isEmpty()
                && text.length() <= ExecuteRoute.NAME
                && text.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isUserOfATenant(Caller caller) {
        return caller.standing() == Caller.Standing.TENANT
                && caller.principal().kind().equals("user");
    }

    private static Starter somebody(boolean required, Starter starter) throws ProblemException {
        if (required && starter.actor().equals(LoopbackCallers.SYSTEM)) {
            throw Problem.of(
                            ProblemCode.INVALID_REQUEST,
                            "this installation asks for whom an execution is started (auth.requirePrincipal):"
                                    + " send principal.userId")
                    .exception();
        }
        return starter;
    }
}
