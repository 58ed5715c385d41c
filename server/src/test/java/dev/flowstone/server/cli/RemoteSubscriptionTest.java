package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Subscriptions from the command line, to an endpoint where nobody listens. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteSubscriptionTest {
    private final RemoteServer server;

    @TempDir
    Path folder = Path.of("");

    RemoteSubscriptionTest(RemoteServer server) {
        this.server = server;
    }

    private String file(String json) throws Exception {
        return Files.writeString(folder.resolve("subscription.json"), json).toString();
    }

    @Test
    void oneIsMadeShownStoppedMovedAndRemoved() throws Exception {
        String file = file("""
                {"sink": {"webhook": "shop"}, "filter": {"types": ["RunCompleted"]}, "from": "beginning"}""");
        Said made = server.done("subscriptions", "put", "shop", "--file", file, "--reason", "for the shop");
        assertTrue(made.out().contains("RunCompleted") && made.out().contains("for the shop"), made::toString);
        server.post("/workflows/review/execute", "");
        assertTrue(server.done("subscriptions", "list").out().contains("shop"));

        assertTrue(server.done("subscriptions", "pause", "shop", "--reason", "it moves")
                .out()
                .contains("paused"));
        Said shown = server.done("subscriptions", "show", "shop");
        assertTrue(shown.out().contains("it moves"), shown::toString);
        assertTrue(server.done("subscriptions", "rewind", "shop", "--to", "now")
                .out()
                .contains("rewind"));
        assertTrue(server.done("subscriptions", "resume", "shop").out().contains("active"));
        server.refused(1, "(INVALID_STATE)", server.call("subscriptions", "skip", "shop"));
        server.refused(2, "(INVALID_REQUEST)", server.call("subscriptions", "rewind", "shop", "--to", "nonsense"));

        assertTrue(server.done("subscriptions", "remove", "shop").out().contains("removed"));
        server.refused(1, "(SUBSCRIPTION_NOT_FOUND)", server.call("subscriptions", "show", "shop"));
    }

    @Test
    void whatIsNoSubscriptionIsRefused() throws Exception {
        String unknown = file("{\"sink\": {\"webhook\": \"nobody\"}}");
        server.refused(2, "(INVALID_REQUEST)", server.call("subscriptions", "put", "x", "--file", unknown));
        Said list = server.call("subscriptions", "put", "x", "--file", file("[]"));
        assertTrue(list.err().contains("takes a file with a JSON object"), list::toString);
    }
}
