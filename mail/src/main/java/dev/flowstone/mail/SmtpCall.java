package dev.flowstone.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * One connection, for one message. It knows whether the server has the whole message: only then may it have taken it without having said
 * so (RFC 5321 §4.1.1.4). And it keeps what the server has refused, however the connection ends after that.
 */
final class SmtpCall extends SMTPTransport {
    private static final Pattern RECIPIENT =
            Pattern.compile("RCPT TO:<(.*?)>.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final String RESET = "RSET";
    private static final int FIRST_REFUSAL = 400;
    private static final Set<Integer> TAKES_RECIPIENT = Set.of(250, 251);

    private final List<RefusedRecipient> refusedRecipients = new ArrayList<>();
    private Optional<Refusal> refusal = Optional.empty();
    private String command = "";
    private boolean hasAll;

    /** What the server answered instead of doing what it was asked. */
    record Refusal(int status, String reply) {}

    /** A recipient that it doesn't take the message for. */
    record RefusedRecipient(String address, Refusal refusal) {}

    SmtpCall(Session session) {
        super(session, new URLName("smtp", null, -1, null, null, null));
    }

    @Override
    protected synchronized void finishData() throws IOException, MessagingException {
        hasAll = true;
        super.finishData();
    }

    /** The library asks for a reset before it tells of a refusal, and tells of none if the server has hung up by then, as 421 says it does. */
    @Override
    protected synchronized void sendCommand(String line) throws MessagingException {
        command = line;
        if (!line.equals(RESET)) {
            refusal = Optional.empty();
        }
        super.sendCommand(line);
    }

    @Override
    protected synchronized int readServerResponse() throws MessagingException {
        int status = super.readServerResponse();
        if (status > 0 && !command.equals(RESET)) {
            note(new Refusal(status, getLastServerResponse()));
        }
        return status;
    }

    private void note(Refusal answered) {
        Matcher recipient = RECIPIENT.matcher(command);
        if (recipient.matches()) {
            if (!TAKES_RECIPIENT.contains(answered.status())) {
                refusedRecipients.add(new RefusedRecipient(recipient.group(1), answered));
            }
        } else if (answered.status() >= FIRST_REFUSAL) {
            refusal = Optional.of(answered);
        }
    }

    /** All that were refused so far: then nobody is sent the message. */
    synchronized List<RefusedRecipient> refusedRecipients() {
        return List.copyOf(refusedRecipients);
    }

    /** Of what it was asked last, recipients aside. */
    synchronized Optional<Refusal> refusal() {
        return refusal;
    }

    /** Whether one can log in at all; if not, the library goes on as nobody. */
    synchronized boolean offersLogin() {
        return supportsAuthentication("PLAIN") || supportsAuthentication("LOGIN");
    }

    /** Whether the end of the message was sent, or begun to be. */
    synchronized boolean serverHasAll() {
        return hasAll;
    }
}
