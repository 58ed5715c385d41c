package dev.flowstone.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

final class TestContextTest {
    @Test
    void itHasWhatItWasGivenAndNothingElse() throws Exception {
        TestContext context = new TestContext("acme");
        assertEquals(
                "NO_CREDENTIAL",
                assertThrows(ActionFailure.class, context::requiredCredential)
                        .result()
                        .code());
        ResourceLink link = ResourceLink.of("acme", "ticket", "T-1").foundBy("ORD-7");
        context.credential(new Credential("token"))
                .config(JsonNodeFactory.instance.objectNode().put("url", "x"))
                .linked(link)
                .requester(new Requester("anna", Optional.empty(), Optional.empty()))
                .attempt(2);
        assertEquals("token", context.requiredCredential().reveal());
        assertEquals(Optional.empty(), context.credential("other"));
        assertEquals("x", context.config().path("url").asString());
        assertEquals(
                link, context.findLink("acme", "ticket", "ORD-7").orElseThrow().link());
        assertEquals(Optional.empty(), context.findLink("acme", "ticket", "T-1"));
        assertEquals(2, context.attempt());
        Map<String, String> headers = PassThroughHeaders.of(context, Optional.empty());
        assertEquals("anna", headers.get("X-Acting-User-Id"));
        assertFalse(context.isCanceled());
        assertTrue(context.cancel().isCanceled());
    }
}
