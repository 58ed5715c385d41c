package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.EventBody.RunStarted;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A run's subject is in the last bytes of its first event, whatever it is called and however long the event is. */
final class BoundBeginningTest {
    private static byte[] last(RunStarted started) {
        FrameOutput out = new FrameOutput();
        BodyCodec.write(out, started);
        byte[] event = out.toByteArray();
        return Arrays.copyOfRange(event, Math.max(0, event.length - BoundBeginning.BYTES), event.length);
    }

    private static RunStarted about(Optional<SubjectBinding> subject, String trigger) {
        return new RunStarted(
                Sha256.ZERO,
                Optional.of("z,\"subject\":{"),
                Map.of("trigger", Payload.of(new JsonString(trigger))),
                new Requested(Optional.of("Zoe"), Optional.of("zoe@example.com"), Optional.of(9)),
                subject);
    }

    private static Optional<SubjectBinding> bound(String kind, String id) {
        return Optional.of(new SubjectBinding(new Subject(kind, id), 1L << 60, true));
    }

    @Test
    void isReadWhateverStandsBefore() {
        Optional<SubjectBinding> subject = bound("invoice", "7");

        assertEquals(subject, BoundBeginning.subject(last(about(subject, "x".repeat(100_000)))));
        assertEquals(subject, BoundBeginning.subject(last(about(subject, ",\"subject\":{\"id\":\"8\"}"))));
    }

    @Test
    void theLongestNamesFitWhateverTheyHold() {
        for (String name : new String[] {"\u20ac", "\"", "\\", "}", "a"}) {
            Optional<SubjectBinding> subject = bound(name.repeat(200), name.repeat(200));

            assertEquals(subject, BoundBeginning.subject(last(about(subject, "\u20ac".repeat(5_000)))), name);
        }
        Optional<SubjectBinding> tricky = bound(",\"subject\":{", "},\"type\":\"RunStarted\",\"v\":3}");
        assertEquals(tricky, BoundBeginning.subject(last(about(tricky, "x"))));
    }

    @Test
    void aRunThatIsAboutNothingEndsOtherwise() {
        byte[] last = last(about(Optional.empty(), ",\"subject\":{\"id\":\"8\"}"));

        assertEquals(Optional.empty(), BoundBeginning.subject(last));
        assertTrue(!new String(last, StandardCharsets.UTF_8)
                .endsWith(new String(BoundBeginning.ending(), StandardCharsets.UTF_8)));
    }

    @Test
    void whatWasTamperedWithIsNoSubject() {
        String form = new String(BoundBeginning.ending(), StandardCharsets.UTF_8);

        for (String last : new String[] {"", form, ",\"subject\":{" + form, ",\"subject\":{\"id\":7}" + form}) {
            assertEquals(Optional.empty(), BoundBeginning.subject(last.getBytes(StandardCharsets.UTF_8)), last);
        }
        assertEquals(Optional.empty(), BoundBeginning.subject(new byte[] {(byte) 0xff, 0, 1}));
    }
}
