package dev.flowstone.outbound;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads URLs strictly. Readers of URLs disagree on backslashes, on user parts, on white space, on full-width digits and on numbers as
 * hosts; where they might, a URL is refused instead of put right, so that no later reader can see another host in it.
 *
 * <p>What is refused is not repeated in the message: it may hold a password.
 */
final class TargetReader {
    private static final int LONGEST = 8_192;
    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*");
    private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");
    private static final Pattern BRACKETS = Pattern.compile("\\[([^\\[\\]]*)](?::(.*))?");
    private static final Pattern PLAIN = Pattern.compile("([^:\\[\\]]*)(?::(.*))?");

    /** As browsers see it: a host whose last part is a number is an address, in whatever form. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");

    /** A URL that was read, or why it wasn't. */
    sealed interface Reading {}

    record Read(Target target) implements Reading {}

    record Unread(Outcome.Refused refusal) implements Reading {}

    private TargetReader() {}

    static Reading read(String url) {
        Optional<Unread> spoiled = spoiled(url);
        if (spoiled.isPresent()) {
            return spoiled.get();
        }
        int colon = url.indexOf(':');
        if (colon < 0 || !SCHEME.matcher(url.substring(0, colon)).matches()) {
            return unread(Refusal.URL, "it has no scheme; write https:// and so on");
        }
        String scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return unread(Refusal.SCHEME, "");
        }
        if (!url.startsWith("//", colon + 1)) {
            return unread(Refusal.URL, "two slashes follow the scheme");
        }
        int start = colon + 3;
        int end = firstOf("/?#", url, start);
        String rest = url.substring(end);
        int fragment = rest.indexOf('#');
        return authority(scheme, url.substring(start, end), fragment < 0 ? rest : rest.substring(0, fragment));
    }

    /** What no URL has: white space, control characters, letters beyond ASCII, backslashes. */
    private static Optional<Unread> spoiled(String url) {
        if (url.isEmpty() || url.length() > LONGEST) {
            return Optional.of(unread(Refusal.URL, "it has from 1 to " + LONGEST + " characters"));
        }
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '\\') {
                return Optional.of(unread(
                        Refusal.URL,
                        "character " + (i + 1) + " is white space, a control character, a backslash or beyond ASCII;"
                                + " percent-encode it in a path, and write a host in its xn-- form"));
            }
        }
        return Optional.empty();
    }

    private static int firstOf(String ends, String url, int from) {
        int at = from;
        while (at < url.length() && ends.indexOf(url.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    private static Reading authority(String scheme, String authority, String rest) {
        if (authority.contains("@")) {
            return unread(Refusal.USERINFO, "");
        }
        if (authority.contains("%")) {
            return unread(
                    Refusal.HOST, "it has a percent sign: neither encoded names nor zones of addresses are taken");
        }
        boolean bracketed = authority.startsWith("[");
        Matcher parts = (bracketed ? BRACKETS : PLAIN).matcher(authority);
        if (!parts.matches()) {
            return unread(Refusal.HOST, "an IPv6 address stands in brackets, and at most one port follows");
        }
        int port = port(scheme, parts.group(2));
        if (port < 1) {
            return unread(Refusal.PORT, "");
        }
        String host = String.valueOf(parts.group(1)).toLowerCase(Locale.ROOT);
        return bracketed ? address(scheme, host, port, rest) : host(scheme, host, port, rest);
    }

    /** 0 if it is none. */
    private static int port(String scheme, @Nullable String text) {
        if (text == null) {
            return scheme.equals("https") ? 443 : 80;
        }
        int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
        return port <= 65_535 ? port : 0;
    }

    private static Reading address(String scheme, String text, int port, String rest) {
        Optional<InetAddress> address = IpLiteral.v6(text);
        return address.isEmpty()
                ? unread(Refusal.ENCODED_ADDRESS, "")
                : finish(scheme, address.get().getHostAddress(), address.get(), port, rest);
    }

    private static Reading host(String scheme, String host, int port, String rest) {
        if (host.isEmpty() || host.length() > 253) {
            return unread(Refusal.HOST, "it has from 1 to 253 characters");
        }
        String[] labels = host.split("\\.", -1);
        String last = labels[labels.length - 1];
        boolean trailing = last.isEmpty() && labels.length > 1;
        if (NUMBER.matcher(trailing ? labels[labels.length - 2] : last).matches()) {
            Optional<InetAddress> address = IpLiteral.v4(host);
            return address.isEmpty()
                    ? unread(Refusal.ENCODED_ADDRESS, "")
                    : finish(scheme, host, address.get(), port, rest);
        }
        for (String label : labels) {
            if (!LABEL.matcher(label).matches()) {
                return unread(Refusal.HOST, trailing ? "leave out the dot at its end" : "");
            }
        }
        return finish(scheme, host, null, port, rest);
    }

    private static Reading finish(String scheme, String host, @Nullable InetAddress literal, int port, String rest) {
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        String query = question < 0 ? "" : rest.substring(question);
        if (path.startsWith("//")) {
            return unread(Refusal.URL, "its path begins with two slashes");
        }
        Target target = new Target(scheme, host, literal, port, path.isEmpty() ? "/" : path, query);
        try {
            URI _ = new URI(target.url());
            return new Read(target);
        } catch (URISyntaxException e) {
            return unread(Refusal.URL, "its path or query has a character that must be percent-encoded");
        }
    }

    private static Unread unread(Refusal refusal, String more) {
        String message = "the URL was refused: " + refusal.what() + (more.isEmpty() ? "" : "; " + more);
        return new Unread(new Outcome.Refused(refusal, message));
    }
}
