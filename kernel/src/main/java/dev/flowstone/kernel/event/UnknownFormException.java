package dev.flowstone.kernel.event;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonShapeException;

/** A header or an event says that it is of a form which this release doesn't know. */
final class UnknownFormException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private UnknownFormException(JsonShapeException fault) {
        super(fault.getMessage(), fault);
    }

    static UnknownFormException at(JsonCursor place, String what, int version) {
        return new UnknownFormException(
                place.fault("no " + what + " of version " + version + " is known to this release"));
    }
}
