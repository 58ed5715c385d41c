package dev.flowstone.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.PassThroughHeaders;
import jakarta.activation.DataHandler;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentDisposition;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParameterList;
import jakarta.mail.util.ByteArrayDataSource;
import java.io.UnsupportedEncodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An e-mail as a MIME message: text and HTML as alternatives, attachments beside them, the execution's correlation id and, where that is
 * configured, whom it is made for in the headers that calls of other connectors have, too (dataflow.md §12.5.3): those are for systems that
 * check rights, and recipients are people. Who gets a blind copy doesn't stand in it.
 */
final class Composer {
    private static final String CHARSET = UTF_8.name();
    private static final String ABOUT_REQUESTER = "X-Acting-User-";

    private final Session session;
    private final Email email;
    private final boolean tellsRequester;

    Composer(Session session, Email email, boolean tellsRequester) {
        this.session = session;
        this.email = email;
        this.tellsRequester = tellsRequester;
    }

    /** @param sent when it is, as its header tells */
    MimeMessage message(dev.flowstone.mail.Address from, MessageId id, ActionContext context, Instant sent)
            throws MessagingException {
        MimeMessage message = new IdentifiedMessage(session, id);
        message.setFrom(from.header());
        message.setRecipients(Message.RecipientType.TO, headers(email.to()));
        message.setRecipients(Message.RecipientType.CC, headers(email.copies()));
        if (!email.answersTo().isEmpty()) {
            message.setReplyTo(headers(email.answersTo()));
        }
        message.setSubject(email.subject(), CHARSET);
        message.setSentDate(Date.from(sent));
        for (Map.Entry<String, String> each : email.moreHeaders().entrySet()) {
            add(message, each.getKey(), each.getValue());
        }
        for (Map.Entry<String, String> each :
                PassThroughHeaders.of(context, Optional.empty()).entrySet()) {
            if (tellsRequester || !each.getKey().startsWith(ABOUT_REQUESTER)) {
                add(message, each.getKey(), each.getValue());
            }
        }
        fill(message);
        message.saveChanges();
        return message;
    }

    private static Address[] headers(List<String> written) {
        return written.stream()
                .map(EmailCheck::address)
                .map(dev.flowstone.mail.Address::header)
                .toArray(Address[]::new);
    }

    private static void add(MimeMessage message, String name, String value) throws MessagingException {
        try {
            message.setHeader(name, MimeUtility.fold(name.length() + 2, MimeUtility.encodeText(value, CHARSET, null)));
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException("every JVM has UTF-8", e);
        }
    }

    private void fill(MimeMessage message) throws MessagingException {
        if (email.files().isEmpty()) {
            body(message);
            return;
        }
        MimeBodyPart first = new MimeBodyPart();
        body(first);
        MimeMultipart mixed = new MimeMultipart("mixed", first);
        for (Email.Attachment file : email.files()) {
            mixed.addBodyPart(attachment(file));
        }
        message.setContent(mixed);
    }

    private void body(Part part) throws MessagingException {
        if (email.text().isPresent() && email.html().isPresent()) {
            MimeBodyPart plain = new MimeBodyPart();
            text(plain, email.text().get(), "plain");
            MimeBodyPart rich = new MimeBodyPart();
            text(rich, email.html().get(), "html");
            part.setContent(new MimeMultipart("alternative", plain, rich));
        } else if (email.html().isPresent()) {
            text(part, email.html().get(), "html");
        } else {
            text(part, email.text().orElseThrow(), "plain");
        }
    }

    /** Lines end as they do in mails, also where Base64 hides them from the transport. */
    private static void text(Part part, String text, String subtype) throws MessagingException {
        bytes(part, text.replaceAll("\\r\\n?|\\n", "\r\n").getBytes(UTF_8), "text/" + subtype + "; charset=utf-8");
    }

    private static void bytes(Part part, byte[] content, String type) throws MessagingException {
        part.setDataHandler(new DataHandler(new ByteArrayDataSource(content, type)));
    }

    private static MimeBodyPart attachment(Email.Attachment file) throws MessagingException {
        MimeBodyPart part = new MimeBodyPart();
        bytes(part, content(file), type(file));
        part.setHeader("Content-Transfer-Encoding", "base64");
        ParameterList parameters = new ParameterList();
        parameters.set("filename", file.name(), CHARSET);
        part.setHeader("Content-Disposition", new ContentDisposition(Part.ATTACHMENT, parameters).toString());
        return part;
    }

    private static byte[] content(Email.Attachment file) {
        return file.base64()
                .map(Base64.getDecoder()::decode)
                .orElseGet(() -> file.text().orElseThrow().getBytes(UTF_8));
    }

    private static String type(Email.Attachment file) {
        if (file.contentType().isEmpty()) {
            return file.text().isPresent() ? "text/plain; charset=utf-8" : "application/octet-stream";
        }
        ContentType type = ContentTypes.read(file.contentType().get()).orElseThrow();
        if (file.text().isPresent() && type.match("text/*")) {
            type.setParameter("charset", "utf-8");
        }
        return type.toString();
    }

    /** Keeps its own Message-ID, where one of the library gets another one whenever it is saved. */
    private static final class IdentifiedMessage extends MimeMessage {
        private final MessageId id;

        IdentifiedMessage(Session session, MessageId id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id.header());
        }
    }
}
