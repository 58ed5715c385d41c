package dev.flowstone.server.peer;

import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Callers;
import dev.flowstone.server.http.Headers;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.util.Optional;

/** Callers as a peer names them: it has shown its certificate, and let them in itself. */
final class PeerCallers implements Callers {
    @Override
    public Caller identify(Headers headers) throws ProblemException {
        Optional<String> caller = headers.single(CallerHeader.NAME);
        if (caller.isEmpty()) {
            throw Problem.of(ProblemCode.UNAUTHENTICATED, "this port is for nodes, which say who calls")
                    .exception();
        }
        try {
            return CallerHeader.parse(caller.get());
        } catch (IllegalArgumentException e) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, "the header " + CallerHeader.NAME + " names no caller")
                    .exception();
        }
    }

    @Override
    public String correlation(String given) {
        return given;
    }
}
