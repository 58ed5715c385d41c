package dev.flowstone.mail;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The server that messages are handed to, as it is configured. It may be anywhere, on this machine and in private networks too: whoever runs
 * Flowstone names it, and no workflow can.
 *
 * @param user as whom messages are handed over; then with the connector's credential as the password
 * @param from whom messages are from that don't say
 * @param certificates PEM file of the authorities that the server's certificate is checked by, instead of the JDK's
 * @param tellsRequester whether messages say in headers whom they are made for
 * @param localName by which this machine names itself to the server
 * @param connectTimeout until the connection stands
 * @param replyTimeout for each answer of the server, and for each part that is written to it
 */
record SmtpServer(
        String host,
        int port,
        Security security,
        Optional<String> user,
        Optional<String> from,
        Optional<Path> certificates,
        boolean tellsRequester,
        Optional<String> localName,
        Duration connectTimeout,
        Duration replyTimeout) {
    /** A password goes in the clear to this machine only. */
    static final String SCHEMA = """
            {"type": "object", "additionalProperties": false,
             "properties": {
               "host": {"type": "string", "pattern": "^[A-Za-z0-9.:-]{1,253}$"},
               "port": {"type": "integer", "minimum": 1, "maximum": 65535},
               "security": {"enum": ["starttls", "tls", "none"]},
               "user": {"type": "string", "minLength": 1, "maxLength": 320},
               "from": {"type": "string", "pattern": "^[^\\\\r\\\\n]+@[^\\\\r\\\\n]+$", "maxLength": 400},
               "certificates": {"type": "string", "minLength": 1},
               "tellsRequester": {"type": "boolean"},
               "localName": {"type": "string", "pattern": "^[A-Za-z0-9.:\\\\[\\\\]-]{1,253}$"},
               "connectTimeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 300},
               "replyTimeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 600}},
             "allOf": [
               {"if": {"minProperties": 1}, "then": {"required": ["host"]}},
               {"if": {"required": ["user", "security"], "properties": {"security": {"const": "none"}}},
                "then": {"properties": {"host": {"enum": ["localhost", "127.0.0.1", "::1"]}}}}]}""";

    private static final int CONNECT_SECONDS = 10;
    private static final int REPLY_SECONDS = 30;

    /** What protects a connection, and where it usually is. */
    enum Security {
        /** TLS is asked for on a plain connection, and nothing is sent without. */
        STARTTLS(587),
        /** TLS from the first byte. */
        TLS(465),
        /** None. */
        NONE(25);

        private final int port;

        Security(int port) {
            this.port = port;
        }
    }

    /** Nothing if none is configured. */
    static Optional<SmtpServer> of(JsonNode config) {
        if (!config.has("host")) {
            return Optional.empty();
        }
        Security security = text(config, "security")
                .map(word -> Security.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(Security.STARTTLS);
        return Optional.of(new SmtpServer(
                config.path("host").asString(),
                config.path("port").asInt(security.port),
                security,
                text(config, "user"),
                text(config, "from"),
                text(config, "certificates").map(Path::of),
                config.path("tellsRequester").asBoolean(false),
                text(config, "localName"),
                Duration.ofSeconds(config.path("connectTimeoutSeconds").asInt(CONNECT_SECONDS)),
                Duration.ofSeconds(config.path("replyTimeoutSeconds").asInt(REPLY_SECONDS))));
    }

    private static Optional<String> text(JsonNode config, String name) {
        return Optional.ofNullable(config.get(name)).map(JsonNode::asString);
    }

    /** For people. */
    String address() {
        return host + ":" + port;
    }
}
