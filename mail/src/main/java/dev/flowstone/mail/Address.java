package dev.flowstone.mail;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One mailbox (RFC 5322 §3.4), with a name for people or without. What is before the {@code @} is ASCII, since few servers take anything
 * else (RFC 6531); what is behind it may be an international name, which becomes ASCII.
 *
 * @param name for people; empty if there is none
 */
record Address(String name, String local, String domain) {
    private static final int LONGEST = 400;
    private static final int LONGEST_LOCAL = 64;

    /** Shorter than RFC 5321 allows, so that a Message-ID of it is the id of a link. */
    private static final int LONGEST_DOMAIN = 150;

    private static final Pattern LOCAL =
            Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");
    private static final Pattern DOMAIN = Pattern.compile(
            "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

    /** Nothing if it is none, or more than one. */
    static Optional<Address> parse(String written) {
        if (written.length() > LONGEST || Line.isBroken(written)) {
            return Optional.empty();
        }
        try {
            InternetAddress read = new InternetAddress(written, true);
            @Nullable String mailbox = read.getAddress();
            @Nullable String name = read.getPersonal();
            return mailbox == null || Line.isBroken(name == null ? "" : name)
                    ? Optional.empty()
                    : of(name == null ? "" : name, mailbox);
        } catch (AddressException _) {
            return Optional.empty();
        }
    }

    private static Optional<Address> of(String name, String mailbox) {
        int at = mailbox.lastIndexOf('@');
        if (at < 1) {
            return Optional.empty();
        }
        String local = mailbox.substring(0, at);
        Optional<String> domain = ascii(mailbox.substring(at + 1));
        return local.length() <= LONGEST_LOCAL && LOCAL.matcher(local).matches()
                ? domain.map(it -> new Address(name, local, it))
                : Optional.empty();
    }

    private static Optional<String> ascii(String domain) {
        try {
            String ascii = IDN.toASCII(domain);
            return ascii.length() <= LONGEST_DOMAIN && DOMAIN.matcher(ascii).matches()
                    ? Optional.of(ascii)
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    String mailbox() {
        return local + '@' + domain;
    }

    /** The same for mailboxes that every server in use takes for one. */
    String identity() {
        return mailbox().toLowerCase(Locale.ROOT);
    }

    /** As it stands in a header. */
    InternetAddress header() {
        try {
            InternetAddress header = envelope();
            if (!name.isEmpty()) {
                header.setPersonal(name, StandardCharsets.UTF_8.name());
            }
            return header;
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException("every JVM has UTF-8", e);
        }
    }

    /** As the server is told whom a message is for. */
    InternetAddress envelope() {
        InternetAddress address = new InternetAddress();
        address.setAddress(mailbox());
        return address;
    }
}
