package dev.flowstone.testkit.conformance;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.json.JsonObject;
import java.time.temporal.ChronoUnit;

/** Messages to try inboxes with. */
final class Inboxes {
    private Inboxes() {}

    static InboxKey key(RunKey run, String name) {
        return new InboxKey(run.tenant(), "a source", name);
    }

    static InboxMessage message(Ports ports, RunKey run, String name) {
        return new InboxMessage(
                key(run, name),
                run.run(),
                "a kind",
                JsonObject.builder().put("name", name).build(),
                ports.clock().now().truncatedTo(ChronoUnit.MICROS));
    }

    static boolean accept(Ports ports, RunKey run, String name) throws JournalException {
        return ports.inbox().accept(message(ports, run, name));
    }
}
