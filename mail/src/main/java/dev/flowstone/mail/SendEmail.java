package dev.flowstone.mail;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.FoundLink;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.ResourceLink;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code email.send}: hands one message to the configured server, for all its recipients or for none. */
final class SendEmail implements Action<Email, Sent> {
    private static final System.Logger LOG = System.getLogger(SendEmail.class.getName());
    private static final String LINK = "message";

    @Override
    public ActionSpec<Email, Sent> spec() {
        return ActionSpec.of("email.send", Email.class, Sent.class)
                .described("Send e-mail", "Sends a message to all of its recipients or to none, each of them once.")
                .category("Communication", "mail", "smtp", "notify")
                .build();
    }

    @Override
    public List<ParameterFault> check(Email email) {
        return EmailCheck.of(email);
    }

    @Override
    public ActionResult<Sent> run(Email email, ActionContext context)
            throws ActionFailure, MessagingException, InterruptedException {
        Optional<SmtpServer> configured = SmtpServer.of(context.config());
        if (configured.isEmpty()) {
            return ActionResult.failed(
                    "EMAIL_NOT_CONFIGURED",
                    "no SMTP server is configured: whoever runs the server puts the file email.json into the folder"
                            + " connector.config, with host, and with whatever else docs/mail.md names");
        }
        SmtpServer server = configured.get();
        Optional<Address> from = email.from().or(server::from).flatMap(Address::parse);
        if (from.isEmpty()) {
            return ActionResult.failed(
                    "EMAIL_NO_SENDER",
                    "the message doesn't say whom it is from, and no address is configured: give from, or set from in"
                            + " email.json of connector.config");
        }
        MessageId id = MessageId.of(context, email.reference(), from.get());
        Optional<FoundLink> before = context.findLink(EmailConnector.ID, LINK, id.key());
        return before.isPresent()
                ? ActionResult.succeeded(new Sent(before.get().link().id(), List.of(), false, Optional.empty()))
                : send(email, server, from.get(), id, context);
    }

    private static ActionResult<Sent> send(
            Email email, SmtpServer server, Address from, MessageId id, ActionContext context)
            throws ActionFailure, MessagingException, InterruptedException {
        Session session = session(server);
        MimeMessage message =
                new Composer(session, email, server.tellsRequester()).message(from, id, context, Instant.now());
        InternetAddress[] recipients = recipients(email);
        String password =
                server.user().isPresent() ? context.requiredCredential().reveal() : null;
        ResourceLink link = ResourceLink.of(EmailConnector.ID, LINK, id.value()).foundBy(id.key());
        SmtpCall call = new SmtpCall(session);
        SmtpFault fault = new SmtpFault(server, call, email.whenUnsure().orElse(Email.WhenUnsure.REPEAT));
        try {
            call.connect(server.host(), server.port(), server.user().orElse(null), password);
            if (server.user().isPresent() && !call.offersLogin()) {
                return fault.withoutLogin();
            }
            call.sendMessage(message, recipients);
            return ActionResult.succeeded(
                    new Sent(
                            id.value(),
                            Stream.of(recipients)
                                    .map(InternetAddress::getAddress)
                                    .toList(),
                            true,
                            Optional.of(fault.reply())),
                    link);
        } catch (MessagingException e) {
            if (Thread.interrupted() && !call.serverHasAll()) {
                throw new InterruptedException("ended before the server had the message");
            }
            return fault.of(e);
        } finally {
            leave(call);
        }
    }

    private static Session session(SmtpServer server) throws ActionFailure {
        try {
            return Sessions.of(server);
        } catch (IOException e) {
            throw new ActionFailure(ActionResult.failed(
                    "EMAIL_TLS", "the certificates of the connector's configuration can't be read as PEM: " + e));
        }
    }

    /** However that goes, the message is sent or isn't. */
    private static void leave(SmtpCall call) {
        try {
            call.close();
        } catch (MessagingException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection to an SMTP server ended badly", e);
        }
    }

    /** Each once, however often and in whichever lists it stands. */
    private static InternetAddress[] recipients(Email email) {
        Map<String, Address> all = new LinkedHashMap<>();
        Stream.of(email.to(), email.copies(), email.blindCopies())
                .flatMap(List::stream)
                .map(EmailCheck::address)
                .forEach(address -> all.putIfAbsent(address.identity(), address));
        return all.values().stream().map(Address::envelope).toArray(InternetAddress[]::new);
    }
}
