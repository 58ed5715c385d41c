package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dead letters from the command line. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteOutboxTest {
    private static final Pattern KEY = Pattern.compile(RemoteServer.RUN + ":[0-9]+:0");

    private final RemoteServer server;

    RemoteOutboxTest(RemoteServer server) {
        this.server = server;
    }

    private String dead() throws Exception {
        Matcher id = RemoteServer.RUN.matcher(server.post("/workflows/telling/execute", ""));
        assertTrue(id.find());
        String run = id.group();
        Said list = server.until(said -> said.out().contains(run), "outbox", "list", "--state", "dead", "--run", run);
        assertTrue(list.out().contains("EXHAUSTED") && list.out().contains("webhook:shop"), list::toString);
        Matcher key = KEY.matcher(list.out());
        assertTrue(key.find(), list::toString);
        return key.group();
    }

    @Test
    void aDeadLetterIsShownPutBackAndRemoved() throws Exception {
        String key = dead();
        Said shown = server.done("outbox", "show", key);
        assertTrue(shown.out().contains("OUTBOUND_UNREACHABLE"), shown::toString);

        Said requeued = server.done("outbox", "requeue", key, "--reason", "the shop is up", "--as", "ann");
        assertTrue(requeued.out().contains("the shop is up"), requeued::toString);
        server.until(
                said -> said.out().contains(key), "outbox", "list", "--state", "dead", "--run", key.substring(0, 36));

        assertTrue(server.done("outbox", "purge", key, "--reason", "it was canceled")
                .out()
                .contains("purged"));
        Said gone = server.done("outbox", "show", key);
        assertTrue(gone.out().contains("gone") && gone.out().contains("it was canceled"), gone::toString);
        server.refused(1, "(INVALID_STATE)", server.call("outbox", "purge", key));
        server.refused(1, "(MESSAGE_NOT_FOUND)", server.call("outbox", "show", "nonsense"));
    }

    @Test
    void manyArePutBackOrRemoved() throws Exception {
        String key = dead();
        String run = key.substring(0, 36);

        Said requeued = server.done("outbox", "requeue-all", "--run", run, "--per-second", "5");
        assertTrue(requeued.out().contains("requeued"), requeued::toString);
        server.until(said -> said.out().contains(run), "outbox", "list", "--state", "dead", "--run", run);
        Said purged = server.done("outbox", "purge-all", "--run", run, "--json");
        assertTrue(purged.out().contains("\"purged\":1"), purged::toString);
    }
}
