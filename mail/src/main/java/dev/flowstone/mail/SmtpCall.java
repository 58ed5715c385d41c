package dev.flowstone.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * One connection, for one message. It knows whether the server has the whole message: only then may it have taken it without having said
 * so (RFC 5321 §4.1.1.4).
 */
final class SmtpCall extends SMTPTransport {
    private boolean hasAll;

    SmtpCall(Session session) {
        super(session, new URLName("smtp", null, -1, null, null, null));
    }

    @Override
    protected synchronized void finishData() throws IOException, MessagingException {
        hasAll = true;
        super.finishData();
    }

    /** Whether the end of the message was sent, or begun to be. */
    synchronized boolean serverHasAll() {
        return hasAll;
    }
}
