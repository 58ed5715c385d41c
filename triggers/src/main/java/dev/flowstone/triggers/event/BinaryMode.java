package dev.flowstone.triggers.event;

import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * CloudEvents whose attributes are headers, and whose data is the body (HTTP Protocol Binding 1.0, §3.1). JSON is read as JSON, text as
 * text, and anything else is kept in Base64.
 */
public final class BinaryMode {
    /** Before the attributes' names in the headers'. */
    public static final String PREFIX = "ce-";

    private BinaryMode() {}

    /**
     * Reads one.
     *
     * @param headers those that begin with {@link #PREFIX}, without it, in lower case
     */
    public static CloudEvent read(Map<String, String> headers, Optional<String> contentType, byte[] body)
            throws CloudEventException, JsonSyntaxException {
        JsonObject.Builder json = JsonObject.builder();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            if (name.equals("datacontenttype")
                    || name.equals(CloudEventReader.DATA)
                    || name.equals(CloudEventReader.DATA_BASE64)) {
                throw CloudEventReader.fault(
                        "HEADER",
                        "",
                        "the header " + PREFIX + name + " isn't sent in binary mode",
                        "send Content-Type, and the data as the body");
            }
            json.put(name, decoded(name, header.getValue()));
        }
        contentType.ifPresent(it -> json.put("datacontenttype", it));
        if (body.length > 0) {
            data(json, contentType, body);
        }
        try {
            return CloudEventReader.event(json.build(), "");
        } catch (CloudEventException e) {
            throw header(e);
        }
    }

    /** There is no place in the body for what a header says. */
    private static CloudEventException header(CloudEventException e) {
        String attribute = e.pointer().startsWith("/") ? e.pointer().substring(1) : "";
        String header = attribute.equals("datacontenttype") ? "Content-Type" : PREFIX + attribute;
        String name = attribute.isEmpty() ? "" : " (header " + header + ")";
        return CloudEventReader.fault(e.code(), "", e.getMessage() + name, e.remedy());
    }

    private static void data(JsonObject.Builder json, Optional<String> contentType, byte[] body)
            throws JsonSyntaxException {
        String type = contentType.orElse("").toLowerCase(Locale.ROOT);
        String media = type.split(";", 2)[0].strip();
        if (media.equals("application/json") || media.endsWith("+json")) {
            json.put(CloudEventReader.DATA, JsonParser.parse(body, JsonLimits.DEFAULT));
            return;
        }
        Optional<String> text = media.startsWith("text/") && isUnicode(type) ? text(body) : Optional.empty();
        if (text.isPresent()) {
            json.put(CloudEventReader.DATA, new JsonString(text.get()));
        } else {
            json.put(CloudEventReader.DATA_BASE64, Base64.getEncoder().encodeToString(body));
        }
    }

    private static boolean isUnicode(String type) {
        int charset = type.indexOf("charset=");
        return charset < 0 || type.substring(charset).replace("\"", "").matches("charset=(utf-8|us-ascii)\\s*(;.*)?");
    }

    /** A NUL can't be stored as text. */
    private static Optional<String> text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf(0) < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Percent-encoded UTF-8; quotes around all of it are taken off, as older senders write them. */
    private static String decoded(String name, String value) throws CloudEventException {
        String bare = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1")
                : value;
        ByteBuffer bytes = ByteBuffer.allocate(3 * bare.length());
        for (int i = 0; i < bare.length(); i++) {
            char character = bare.charAt(i);
            if (character == '%' && i + 2 < bare.length() && isHex(bare, i + 1) && isHex(bare, i + 2)) {
                bytes.put((byte) Integer.parseInt(bare.substring(i + 1, i + 3), 16));
                i += 2;
            } else if (character > 0x7f) {
                throw notDecoded(name);
            } else {
                bytes.put((byte) character);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw notDecoded(name);
        }
    }

    private static boolean isHex(String text, int at) {
        return Character.digit(text.charAt(at), 16) >= 0 && text.charAt(at) < 0x80;
    }

    private static CloudEventException notDecoded(String name) {
        return CloudEventReader.fault(
                "HEADER",
                "",
                "the header " + PREFIX + name + " is no percent-encoded UTF-8",
                "percent-encode the UTF-8 bytes of what isn't printable ASCII");
    }
}
