package dev.flowstone.mail;

import dev.flowstone.action.Param;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code email.send} takes. An address is {@code ann@example.org} or {@code Ann Lee <ann@example.org>}; one in each item. How much of
 * everything there may be, {@link EmailCheck} says.
 */
public record Email(
        @Param("whom it is from; else the configured one") Optional<String> from,
        @Param(value = "addresses", minLength = 1) List<String> to,
        @Param("addresses") Optional<List<String>> cc,
        @Param("addresses that nobody else sees") Optional<List<String>> bcc,
        @Param("addresses that answers go to") Optional<List<String>> replyTo,
        @Param("one line") String subject,
        @Param("the body as plain text") Optional<String> text,
        @Param("the body as HTML") Optional<String> html,
        @Param("files that go with it") Optional<List<Attachment>> attachments,
        @Param("more headers by name") Optional<Map<String, String>> headers,

        @Param(value = "a name under which the tenant sends one message only, ever", minLength = 1, maxLength = 200)
        Optional<String> reference,

        @Param("what to do if the server may have taken the message and didn't say so: REPEAT (unless said) or FAIL")
        Optional<WhenUnsure> whenUnsure) {

    /** What is done if the connection breaks when the server has the whole message and hasn't said that it took it. */
    public enum WhenUnsure {
        /** It is sent again with the same Message-ID: rather twice than never. */
        REPEAT,
        /** The node fails: rather never than twice. */
        FAIL
    }

    /** A file: its content is {@code base64} or {@code text}, one of them. */
    public record Attachment(
            String name,

            @Param("such as application/pdf; else by what it is given as")
            Optional<String> contentType,

            @Param("its bytes") Optional<String> base64,
            @Param("its text, sent as UTF-8") Optional<String> text) {}

    List<String> copies() {
        return cc.orElse(List.of());
    }

    List<String> blindCopies() {
        return bcc.orElse(List.of());
    }

    List<String> answersTo() {
        return replyTo.orElse(List.of());
    }

    List<Attachment> files() {
        return attachments.orElse(List.of());
    }

    Map<String, String> moreHeaders() {
        return headers.orElse(Map.of());
    }
}
