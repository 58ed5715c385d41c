package dev.flowstone.outbound;

/**
 * What a request carries.
 *
 * @param contentType such as {@code application/json}
 * @param mayTravel whether a redirect (307, 308) may take it to another host, port or scheme. Unless that was said, such a redirect is
 *     refused: a payload was meant for the one it was addressed to
 */
@SuppressWarnings("ArrayRecordComponent")
public record RequestBody(byte[] bytes, String contentType, boolean mayTravel) {
    public RequestBody {
        bytes = bytes.clone();
    }

    public static RequestBody of(byte[] bytes, String contentType) {
        return new RequestBody(bytes, contentType, false);
    }

    /** The same, for whichever host a redirect names. */
    public RequestBody travelling() {
        return new RequestBody(bytes, contentType, true);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes of " + contentType;
    }
}
