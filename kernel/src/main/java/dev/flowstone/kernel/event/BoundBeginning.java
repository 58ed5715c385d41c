package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a run is about, read off the last bytes of its first event: lists show it for many runs, whose inputs nobody wants to
 * read for that. Only {@code RunStarted} in version 3 has a subject, and in canonical order it stands right before the
 * form's own members. It is not recomputed: whoever must be sure reads the history.
 */
public final class BoundBeginning {
    /** So many bytes of the event hold the whole subject: two names of 200 characters, and the members around them. */
    public static final int BYTES = 2_048;

    private static final String OPENING = ",\"subject\":{";
    private static final String FORM = ",\"type\":\"RunStarted\",\"v\":3}";

    private BoundBeginning() {}

    /** How the first event of a run ends that is about something. */
    public static byte[] ending() {
        return FORM.getBytes(StandardCharsets.UTF_8);
    }

    /** The subject in the last bytes of a first event; empty if there is none, or if it can't be read. */
    public static Optional<SubjectBinding> subject(byte[] last) {
        String text = new String(last, StandardCharsets.UTF_8);
        // A quote in a text is escaped, so a name never looks like the member itself.
        int opening = text.lastIndexOf(OPENING);
        if (opening < 0 || !text.endsWith(FORM)) {
            return Optional.empty();
        }
        String subject = text.substring(opening + OPENING.length() - 1, text.length() - FORM.length());
        try {
            return Optional.of(
                    RunForms.subject(JsonCursor.of(JsonParser.parse(subject.getBytes(StandardCharsets.UTF_8)))));
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
