package dev.flowstone.triggers.event;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads CloudEvents 1.0 of JSON's event format. Refuses what the specification doesn't allow, and what is beyond {@link #EVENTS},
 * {@link #ATTRIBUTES} and {@link #LONGEST}.
 */
public final class CloudEventReader {
    /** In one batch. */
    public static final int EVENTS = 100;

    /** Of one event, its data not among them. */
    public static final int ATTRIBUTES = 64;

    /** Characters of an attribute. */
    public static final int LONGEST = 1_024;

    static final String VERSION = "specversion";
    static final String DATA = "data";
    static final String DATA_BASE64 = "data_base64";

    private static final List<String> REQUIRED = List.of(VERSION, "id", "source", "type");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]{1,64}");
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\\s*;[ -~]*)?");
    /** Of what {@link OffsetDateTime} takes, what RFC 3339 does, too. */
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)");

    private static final BigDecimal LEAST = BigDecimal.valueOf(Integer.MIN_VALUE);
    private static final BigDecimal MOST = BigDecimal.valueOf(Integer.MAX_VALUE);

    private CloudEventReader() {}

    /** One event in structured mode. */
    public static CloudEvent structured(JsonValue body) throws CloudEventException {
        return event(body, "");
    }

    /** A batch, which may be empty. */
    public static List<CloudEvent> batch(JsonValue body) throws CloudEventException {
        if (!(body instanceof JsonArray(List<JsonValue> items))) {
            throw fault("BATCH", "", "a batch of events is a list of them", "send a JSON array of CloudEvents");
        }
        if (items.size() > EVENTS) {
            throw fault(
                    "LIMIT",
                    "",
                    "a batch has " + EVENTS + " events at most, not " + items.size(),
                    "send it in several parts");
        }
        List<CloudEvent> events = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            events.add(event(items.get(i), "/" + i));
        }
        return events;
    }

    /** One whose attributes and data stand in one object, each of which may be wrong. */
    static CloudEvent event(JsonValue value, String at) throws CloudEventException {
        if (!(value instanceof JsonObject object)) {
            throw fault("EVENT", at, "an event is a JSON object", "send one: specversion, id, source, type, data");
        }
        if (object.members().size() > ATTRIBUTES + 2) {
            throw fault("LIMIT", at, "an event has " + ATTRIBUTES + " attributes at most", "send fewer");
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            String name = member.getKey();
            if (name.equals(DATA)) {
                members.put(name, member.getValue());
            } else if (member.getValue() != JsonNull.NULL) {
                members.put(name, attribute(name, member.getValue(), at + "/" + JsonPointer.escape(name)));
            }
        }
        JsonObject json = JsonObject.of(members);
        for (String name : REQUIRED) {
            if (json.find(name).isEmpty()) {
                throw fault("MISSING", at, "the attribute '" + name + "' is missing", "send it");
            }
        }
        if (members.containsKey(DATA) && members.containsKey(DATA_BASE64)) {
            throw fault("DATA", at + "/" + DATA_BASE64, "an event has data or data_base64, not both", "send one");
        }
        return CloudEvent.of(json);
    }

    private static JsonValue attribute(String name, JsonValue value, String at) throws CloudEventException {
        return switch (name) {
            case VERSION -> version(text(name, value, at), at);
            case "id", "type", "subject" -> text(name, value, at);
            case "source" -> uri(name, text(name, value, at), at, false);
            case "dataschema" -> uri(name, text(name, value, at), at, true);
            case "time" -> time(text(name, value, at), at);
            case "datacontenttype" -> mediaType(text(name, value, at), at);
            case DATA_BASE64 -> base64(value, at);
            default -> extension(name, value, at);
        };
    }

    private static JsonString text(String name, JsonValue value, String at) throws CloudEventException {
        if (value instanceof JsonString text && !text.value().isEmpty() && isClean(text.value())) {
            return text;
        }
        throw fault(
                "ATTRIBUTE",
                at,
                "'" + name + "' is text of 1 to " + LONGEST + " characters, none of them a control character",
                "send such a text");
    }

    /** Names and values end up in columns, logs and terminals: neither control characters nor halves of pairs. */
    private static boolean isClean(String text) {
        return text.length() <= LONGEST
                && text.codePoints()
                        .noneMatch(point ->
                                Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE);
    }

    private static JsonString version(JsonString text, String at) throws CloudEventException {
        if (text.value().equals("1.0")) {
            return text;
        }
        throw fault("SPECVERSION", at, "CloudEvents of version 1.0 are taken, not others", "send specversion 1.0");
    }

    private static JsonString uri(String name, JsonString text, String at, boolean absolute)
            throws CloudEventException {
        try {
            URI uri = new URI(text.value());
            if (!absolute || uri.isAbsolute()) {
                return text;
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        String what = absolute ? "a URI" : "a URI or a relative reference";
        throw fault("ATTRIBUTE", at, "'" + name + "' is " + what, "percent-encode what a URI can't have");
    }

    private static JsonString time(JsonString text, String at) throws CloudEventException {
        try {
            if (TIME.matcher(text.value()).matches()) {
                OffsetDateTime.parse(text.value());
                return text;
            }
        } catch (DateTimeParseException e) {
            // Said below.
        }
        throw fault("ATTRIBUTE", at, "'time' is a time by RFC 3339", "send such as 2026-11-30T12:00:00Z");
    }

    private static JsonString mediaType(JsonString text, String at) throws CloudEventException {
        if (MEDIA_TYPE.matcher(text.value()).matches()) {
            return text;
        }
        throw fault("ATTRIBUTE", at, "'datacontenttype' is a media type", "send such as application/json");
    }

    private static JsonString base64(JsonValue value, String at) throws CloudEventException {
        if (value instanceof JsonString text) {
            try {
                Base64.getDecoder().decode(text.value());
                return text;
            } catch (IllegalArgumentException e) {
                // Said below.
            }
        }
        throw fault("DATA", at, "'data_base64' is text in Base64", "send such a text, or data");
    }

    private static JsonValue extension(String name, JsonValue value, String at) throws CloudEventException {
        if (!NAME.matcher(name).matches()) {
            throw fault("ATTRIBUTE", at, "an attribute's name is of a-z and 0-9, 64 at most", "name it otherwise");
        }
        boolean fits = switch (value) {
            case JsonString(String text) -> isClean(text);
            case JsonBoolean _ -> true;
            case JsonNumber number -> isInteger(number);
            case JsonObject _, JsonArray _, JsonNull _ -> false;
        };
        if (fits) {
            return value;
        }
        throw fault(
                "ATTRIBUTE",
                at,
                "an attribute is text of at most " + LONGEST
                        + " characters, true, false or a whole number of 32 bits; all else belongs into data",
                "send it in data");
    }

    private static boolean isInteger(JsonNumber number) {
        BigDecimal value = number.decimalValue();
        return value.compareTo(LEAST) >= 0
                && value.compareTo(MOST) <= 0
                && value.stripTrailingZeros().scale() <= 0;
    }

    static CloudEventException fault(String code, String at, String message, String remedy) {
        return new CloudEventException(code, at, message, remedy);
    }
}
