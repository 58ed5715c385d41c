package dev.flowstone.mail;

import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.ParseException;
import java.util.Optional;

/** Types of attachments (RFC 2045 §5.1). */
final class ContentTypes {
    private static final int LONGEST = 200;

    private ContentTypes() {}

    /** Nothing if it is none, or none that a file is of: a multipart or a message has parts of its own. */
    static Optional<ContentType> read(String written) {
        if (written.length() > LONGEST || Line.isBroken(written)) {
            return Optional.empty();
        }
        try {
            ContentType type = new ContentType(written);
            return type.match("multipart/*") || type.match("message/*") ? Optional.empty() : Optional.of(type);
        } catch (ParseException _) {
            return Optional.empty();
        }
    }
}
