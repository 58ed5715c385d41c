package dev.flowstone.server.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who calls, from node to node, also between two releases. */
final class CallerHeaderTest {
    private static final Caller ANN = new Caller(
            Caller.Standing.TENANT,
            new TenantId("acme"),
            new Actor("user", "ann"),
            Set.of("legal", "Account Manager"),
            Set.of(Scope.WORKFLOWS_EXECUTE, Scope.PUBLIC),
            new Caller.Profile(Optional.of("Ann Ó"), Optional.empty()),
            Optional.of(Instant.parse("2026-03-01T12:00:00Z")));

    private static Caller with(Set<Scope> scopes) {
        return new Caller(ANN.standing(), ANN.tenant(), ANN.principal(), ANN.roles(), scopes);
    }

    private static String json(String header) {
        return new String(Base64.getUrlDecoder().decode(header), StandardCharsets.UTF_8);
    }

    private static String header(String json) {
        return Base64.getUrlEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCallerComesOutAsItWentIn() {
        assertEquals(ANN, CallerHeader.parse(CallerHeader.text(ANN)));
    }

    @Test
    void anOlderNodeUnderstandsScopesThatWereCalledOtherwise() {
        String sent = json(CallerHeader.text(with(Set.of(Scope.WORKFLOWS_EXECUTE, Scope.WORKFLOWS_MANAGE))));
        assertTrue(
                sent.contains("[\"executions:write\",\"workflows:execute\",\"workflows:manage\",\"workflows:write\"]"),
                sent);
        String others = json(CallerHeader.text(with(Set.of(Scope.WORKFLOWS_READ, Scope.EXECUTIONS_CONTROL))));
        assertFalse(others.contains(":write"), others);
    }

    @Test
    void andIsUnderstood() {
        Caller read = CallerHeader.parse(header("""
                {"standing": "OPERATOR", "tenant": "acme", "principal": "user:ann", "roles": [],
                 "scopes": ["workflows:write", "executions:write", "executions:read", "unheard:of"]}"""));

        assertEquals(Set.of(Scope.WORKFLOWS_MANAGE, Scope.WORKFLOWS_EXECUTE, Scope.EXECUTIONS_READ), read.scopes());
        assertEquals(Caller.Profile.NONE, read.profile());
        assertEquals(Optional.empty(), read.until(), "older nodes don't say");
    }

    @Test
    void whatNoNodeHasWrittenIsNoCaller() {
        assertThrows(IllegalArgumentException.class, () -> CallerHeader.parse("%"));
        assertThrows(
                IllegalArgumentException.class,
                () -> CallerHeader.parse(header(json(CallerHeader.text(ANN)).replace("\"Ann Ó\"", "7"))));
        assertThrows(
                IllegalArgumentException.class,
                () -> CallerHeader.parse(header(json(CallerHeader.text(ANN)).replace("2026-03-01T12", "soon"))));
    }
}
