package dev.flowstone.bench.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.bench.torture.check.RunSeen.Seen;
import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages that arrived as they were sent, and those that didn't. */
final class MessagesTest {
    private static final String RUN = "run-1";
    private static final String MESSAGE = RUN + ":2:0";

    private final List<Seen> events = new ArrayList<>();
    private final List<Delivery> deliveries = new ArrayList<>();

    private void event(String kind, JsonObject.Builder body) {
        String hash = "%064x".formatted(events.size() + 1);
        events.add(new Seen(events.size() + 1L, kind, Optional.empty(), "", hash, body.build()));
    }

    private void sent() {
        event("RunStarted", JsonObject.builder());
        event("TaskScheduled", JsonObject.builder().put("activation", "tell#1"));
        JsonObject output = JsonObject.builder()
                .put("inline", JsonObject.builder().put("message", MESSAGE).build())
                .build();
        event("TaskCompleted", JsonObject.builder().put("activation", "tell#1").put("output", output));
    }

    private void arrives(String id, String name, boolean genuine, boolean taken) {
        deliveries.add(new Delivery(0, id, name, genuine, taken));
    }

    private Messages judged() {
        RunSeen run = new RunSeen(RUN, Kind.TELL.workflow(), "Succeeded", "t-1", events);
        return Messages.check(Map.of(RUN, run), deliveries);
    }

    @Test
    void whatIsToldToComeAgainAndWhatComesTwiceIsNoFault() {
        sent();
        arrives(MESSAGE, "t-1", true, false);
        arrives(MESSAGE, "t-1", true, true);
        arrives(MESSAGE, "t-1", true, true);

        assertEquals(new Messages(1, 3, 1, 1, List.of()), judged());
    }

    @Test
    void aMessageThatNeverCameIsTold() {
        sent();

        assertEquals(List.of(MESSAGE + " was never taken"), judged().wrong());
    }

    @Test
    void oneThatWasOnlyToldToComeAgainNeverCame() {
        sent();
        arrives(MESSAGE, "t-1", true, false);

        assertEquals(List.of(MESSAGE + " was never taken"), judged().wrong());
    }

    @Test
    void aSecondIdIsASecondMessage() {
        sent();
        arrives(MESSAGE, "t-1", true, true);
        arrives(RUN + ":4:0", "t-1", true, true);

        assertEquals(List.of(RUN + ":4:0 came, and its run sent " + MESSAGE + " only"), judged().wrong());
    }

    @Test
    void oneThatNoEventScheduledIsTold() {
        sent();
        events.set(1, new Seen(2, "TaskStarted", Optional.empty(), "", "", JsonObject.EMPTY));
        arrives(MESSAGE, "t-1", true, true);

        assertEquals(List.of(MESSAGE + " is no event's that scheduled a message"), judged().wrong());
    }

    @Test
    void whatIsNotSignedIsTold() {
        sent();
        arrives(MESSAGE, "t-1", false, true);

        assertEquals(List.of(MESSAGE + " came without its signature"), judged().wrong());
    }

    @Test
    void whatSaysSomethingElseIsTold() {
        sent();
        arrives(MESSAGE, "t-2", true, true);

        assertEquals(List.of(MESSAGE + " says t-2, and not t-1"), judged().wrong());
    }

    @Test
    void whatNobodySentIsTold() {
        event("RunStarted", JsonObject.builder());
        arrives(MESSAGE, "t-1", true, true);
        arrives("run-2:2:0", "t-2", true, true);

        assertEquals(
                List.of(
                        MESSAGE + " came, and its run's history says of no message",
                        "a message came from run-2, which there is not"),
                judged().wrong());
    }

    @Test
    void readsWhatTheReceiverWrites() {
        assertEquals(
                new Delivery(17, MESSAGE, "t-1", true, false),
                Delivery.parse("17 " + MESSAGE + " t-1 genuine refused"));
    }
}
