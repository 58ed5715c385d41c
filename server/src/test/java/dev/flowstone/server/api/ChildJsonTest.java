package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.server.execution.Child;
import dev.flowstone.server.execution.Family;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How an execution stands that isn't there: it has not begun, or was archived. */
final class ChildJsonTest {
    private static final Instant TIME = Instant.parse("2026-11-27T12:00:00Z");

    private static Child child(Optional<Ended> ended, boolean expected) {
        return new Child(
                3,
                TIME,
                new ActivationId(new NodeId("a"), 1),
                RunId.of(TIME, new Slot(1), 7),
                new WorkflowId("w"),
                1,
                true,
                ended,
                Optional.empty(),
                expected);
    }

    private static JsonValue status(Optional<Ended> ended, boolean expected, boolean alone) {
        Child child = child(ended, expected);
        Family.Member member = new Family.Member(child.id(), Optional.of(child.id()), Optional.of(child), 1);
        JsonValue status = ChildJson.expanded(child, Optional.empty(), alone).get("status");
        assertEquals(status, ChildJson.member(member, Optional.empty(), alone).get("status"));
        return status == null ? JsonNull.NULL : status;
    }

    @Test
    void onlyOneWhoseCallerWaitsToHearOfItIsPending() {
        assertEquals(new JsonString("Pending"), status(Optional.empty(), true, false));
        assertEquals(JsonNull.NULL, status(Optional.empty(), false, false), "its call was given up");
        assertEquals(JsonNull.NULL, status(Optional.empty(), true, true), "its caller is over");
        assertEquals(new JsonString("Succeeded"), status(Optional.of(Ended.SUCCEEDED), true, true));
        assertEquals(new JsonString("Cancelled"), status(Optional.of(Ended.CANCELED), false, false));
    }
}
