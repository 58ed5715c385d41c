package dev.flowstone.server.effect;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundRequest;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a request says that isn't for everybody, in the forms in which servers repeat it: headers with secrets, whole, in parts
 * and decoded; the path, the query, and the query's values.
 */
final class SentSecrets {
    /** Shorter values are found in texts by chance. */
    private static final int SHORTEST = 4;

    /** The same for parts of values, and for what the URL says. */
    private static final int SHORTEST_PART = 6;

    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z]+\\s+");
    private static final Pattern BETWEEN_PARTS = Pattern.compile("[\\s;,=\"]+");
    private static final String BASIC = "basic ";
    private static final Pattern AND = Pattern.compile("&");

    private SentSecrets() {}

    /** Of a request that was sent, found as they are asked for. */
    static Stream<String> of(OutboundRequest request) {
        Stream<String> headers = request.headers().stream()
                .filter(HttpHeader::secret)
                .map(HttpHeader::value)
                .flatMap(SentSecrets::ofHeader);
        return Stream.concat(headers, ofUrl(URI.create(request.url()))).distinct();
    }

    /** A secret that was put behind a prefix, and what is in it that opens something by itself; the prefix is none. */
    static Stream<String> ofNamed(String prefix, String secret) {
        Stream<String> parts = Stream.concat(BETWEEN_PARTS.splitAsStream(secret), ofBasic(prefix + secret));
        return Stream.concat(Stream.of(secret), Stream.concat(parts.filter(SentSecrets::isLong), ofHeader(secret)));
    }

    /** A value, and what is in it that opens something by itself. */
    private static Stream<String> ofHeader(String value) {
        Stream<String> whole =
                Stream.of(value, value.substring(value.indexOf(' ') + 1)).filter(it -> it.length() >= SHORTEST);
        Stream<String> parts =
                Stream.concat(BETWEEN_PARTS.splitAsStream(SCHEME.matcher(value).replaceFirst("")), ofBasic(value));
        return Stream.concat(whole, parts.filter(SentSecrets::isLong));
    }

    /** User and password, together and each. */
    private static Stream<String> ofBasic(String value) {
        if (!value.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return Stream.empty();
        }
        try {
            String both = new String(
                    Base64.getDecoder().decode(value.substring(BASIC.length()).strip()), UTF_8);
            int colon = both.indexOf(':');
            return colon < 0 ? Stream.of(both) : Stream.of(both, both.substring(0, colon), both.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private static Stream<String> ofUrl(URI url) {
        String path = url.getRawPath();
        String query = url.getRawQuery();
        if (query == null) {
            return Stream.of(path).filter(SentSecrets::isLong);
        }
        Stream<String> values = AND.splitAsStream(query)
                .map(pair -> pair.substring(pair.indexOf('=') + 1))
                .flatMap(value -> Stream.of(value, URLDecoder.decode(value, UTF_8)));
        return Stream.concat(Stream.of(path + "?" + query, path, query), values).filter(SentSecrets::isLong);
    }

    private static boolean isLong(String part) {
        return part.length() >= SHORTEST_PART;
    }
}
