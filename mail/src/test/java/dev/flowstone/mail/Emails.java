package dev.flowstone.mail;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.Credential;
import dev.flowstone.action.TestContext;
import dev.flowstone.mail.Email.Attachment;
import dev.flowstone.mail.Email.WhenUnsure;
import jakarta.mail.MessagingException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Messages and attempts of tests. */
final class Emails {
    static final String PASSWORD = "hunter2 ünd+more";

    private Emails() {}

    /** From the house to Ann, about nothing, without anything else. */
    static Email plain() {
        return to("ann@example.org");
    }

    static Email to(String... recipients) {
        return new Email(
                Optional.of("The House <house@example.org>"),
                List.of(recipients),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "Hello",
                Optional.of("Hello, Ann."),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    static Email copied(Email email, List<String> cc, List<String> bcc, List<String> replyTo) {
        return new Email(
                email.from(),
                email.to(),
                Optional.of(cc),
                Optional.of(bcc),
                Optional.of(replyTo),
                email.subject(),
                email.text(),
                email.html(),
                email.attachments(),
                email.headers(),
                email.reference(),
                email.whenUnsure());
    }

    static Email saying(String subject, Optional<String> text, Optional<String> html, Attachment... files) {
        Email email = plain();
        return new Email(
                email.from(),
                email.to(),
                email.cc(),
                email.bcc(),
                email.replyTo(),
                subject,
                text,
                html,
                files.length == 0 ? Optional.empty() : Optional.of(List.of(files)),
                email.headers(),
                email.reference(),
                email.whenUnsure());
    }

    static Email with(Email email, Map<String, String> headers, Optional<String> reference, WhenUnsure whenUnsure) {
        return new Email(
                email.from(),
                email.to(),
                email.cc(),
                email.bcc(),
                email.replyTo(),
                email.subject(),
                email.text(),
                email.html(),
                email.attachments(),
                Optional.of(headers),
                reference,
                Optional.of(whenUnsure));
    }

    static Attachment file(String name, String contentType, String base64) {
        return new Attachment(name, Optional.of(contentType), Optional.of(base64), Optional.empty());
    }

    /** An attempt that hands over to this port of this machine, without protection; with the password if there is a user. */
    static TestContext context(int port, Optional<String> user) {
        ObjectNode config = config(port).put("security", "none");
        user.ifPresent(name -> config.put("user", name));
        return new TestContext("email").config(config).credential(new Credential(PASSWORD));
    }

    static ObjectNode config(int port) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("host", "127.0.0.1")
                .put("port", port)
                .put("localName", "house.example");
    }

    /** As the engine does it: what is checked is run. */
    static ActionResult<Sent> send(Email email, TestContext context)
            throws ActionFailure, MessagingException, InterruptedException {
        SendEmail action = new SendEmail();
        if (!action.check(email).isEmpty()) {
            throw new AssertionError(action.check(email).toString());
        }
        return action.run(email, context);
    }

    static Sent sent(ActionResult<Sent> result) {
        if (result instanceof ActionResult.Succeeded<Sent> done) {
            return done.outputs();
        }
        throw new AssertionError(result.toString());
    }

    static ActionResult.Failed<Sent> failed(ActionResult<Sent> result) {
        if (result instanceof ActionResult.Failed<Sent> failed) {
            return failed;
        }
        throw new AssertionError(result.toString());
    }
}
