package dev.flowstone.mail;

import dev.flowstone.action.ParameterFault;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What is wrong with an e-mail, all of it, each thing by its pointer and without its value. */
final class EmailCheck {
    static final int MOST_RECIPIENTS = 100;
    static final int MOST_ATTACHMENTS = 20;
    static final int LONGEST_SUBJECT = 500;
    static final int LONGEST_NAME = 200;

    /** As long as the key of a link. */
    static final int LONGEST_REFERENCE = 200;

    /** Of bodies and attachments together, as they are given. */
    static final int MOST_CHARACTERS = 10 << 20;

    private final List<ParameterFault> faults = new ArrayList<>();

    static List<ParameterFault> of(Email email) {
        EmailCheck check = new EmailCheck();
        check.addresses(email);
        check.content(email);
        email.reference().ifPresent(reference -> check.line("/reference", reference, LONGEST_REFERENCE));
        check.faults.addAll(Headers.faults(email.moreHeaders()));
        check.attachments(email.files());
        check.size(email);
        return List.copyOf(check.faults);
    }

    /** The address that is written, checked before. */
    static Address address(String written) {
        return Address.parse(written).orElseThrow(() -> new IllegalArgumentException("an address was checked before"));
    }

    private void addresses(Email email) {
        email.from().ifPresent(from -> address("/from", from));
        addresses("/to", email.to());
        addresses("/cc", email.copies());
        addresses("/bcc", email.blindCopies());
        addresses("/replyTo", email.answersTo());
        if (recipients(email) > MOST_RECIPIENTS || email.answersTo().size() > MOST_RECIPIENTS) {
            add("", "a message has " + MOST_RECIPIENTS + " recipients at most, and as many to answer to: send several");
        }
    }

    private static int recipients(Email email) {
        return email.to().size() + email.copies().size() + email.blindCopies().size();
    }

    private void addresses(String pointer, List<String> all) {
        for (int i = 0; i < Math.min(all.size(), MOST_RECIPIENTS + 1); i++) {
            address(pointer + "/" + i, all.get(i));
        }
    }

    private void address(String pointer, String written) {
        if (Line.isBroken(written)) {
            add(pointer, "has a line break or another control character in it");
        } else if (Address.parse(written).isEmpty()) {
            add(pointer, "is no address: write ann@example.org or Ann Lee <ann@example.org>, one in each item");
        }
    }

    private void content(Email email) {
        line("/subject", email.subject(), LONGEST_SUBJECT);
        if (email.text().isEmpty() && email.html().isEmpty()) {
            add("", "says nothing: give text, html or both");
        }
        email.text().ifPresent(text -> text("/text", text));
        email.html().ifPresent(html -> text("/html", html));
    }

    private void line(String pointer, String value, int longest) {
        if (value.length() > longest) {
            add(pointer, "has more than " + longest + " characters");
        } else if (Line.isBroken(value)) {
            add(pointer, "has a line break or another control character in it");
        }
    }

    private void text(String pointer, String value) {
        if (value.indexOf('\0') >= 0) {
            add(pointer, "has U+0000 in it, which no mail carries");
        }
    }

    private void attachments(List<Email.Attachment> all) {
        if (all.size() > MOST_ATTACHMENTS) {
            add("/attachments", "a message has " + MOST_ATTACHMENTS + " at most");
            return;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            Email.Attachment each = all.get(i);
            String pointer = "/attachments/" + i;
            attachment(pointer, each);
            if (!names.add(each.name())) {
                add(pointer + "/name", "is another one's name: give each its own");
            }
        }
    }

    private void attachment(String pointer, Email.Attachment file) {
        line(pointer + "/name", file.name(), LONGEST_NAME);
        if (file.name().isBlank()
                || file.name().indexOf('/') >= 0
                || file.name().indexOf('\\') >= 0) {
            add(pointer + "/name", "is no file's name: give one without a slash");
        }
        file.contentType()
                .filter(type -> ContentTypes.read(type).isEmpty())
                .ifPresent(_ -> add(
                        pointer + "/contentType",
                        "is no content type of a file: write application/pdf, or text/csv; charset=utf-8"));
        if (file.base64().isPresent() == file.text().isPresent()) {
            add(pointer, "give its content as base64 or as text, one of them");
        } else if (file.base64().isPresent() && decoded(file.base64().get()).isEmpty()) {
            add(pointer + "/base64", "is no Base64 (RFC 4648 §4, without line breaks)");
        }
    }

    private static Optional<byte[]> decoded(String base64) {
        try {
            return Optional.of(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private void size(Email email) {
        Stream<String> files = email.files().stream()
                .flatMap(file -> Stream.of(file.base64(), file.text()).flatMap(Optional::stream));
        Stream<String> bodies = Stream.of(email.text(), email.html()).flatMap(Optional::stream);
        long characters = Stream.concat(bodies, files).mapToLong(String::length).sum();
        if (characters > MOST_CHARACTERS) {
            add(
                    "",
                    "bodies and attachments have more than " + MOST_CHARACTERS
                            + " characters together, Base64 as it is written: put large things elsewhere and send a link");
        }
    }

    private void add(String pointer, String message) {
        faults.add(new ParameterFault(pointer, message));
    }
}
