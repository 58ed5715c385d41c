package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.server.stream.CloudEventJson;

/**
 * An event on its way out: a CloudEvent 1.0 in structured mode.
 *
 * @param id RUN/SEQUENCE, the same however often it is sent
 * @param body the CloudEvent as JSON
 * @param behind the place behind it in its stream
 */
@SuppressWarnings("ArrayRecordComponent")
record OutEvent(RunId run, String id, byte[] body, FeedPlace behind) {
    static final String MEDIA_TYPE = "application/cloudevents+json";

    /** Of memory, beside the body. */
    private static final int OVERHEAD = 256;

    OutEvent {
        requireNonNull(run);
        requireNonNull(id);
        requireNonNull(body);
        requireNonNull(behind);
    }

    static OutEvent of(Event event, FeedPlace behind) {
        return new OutEvent(event.header().run(), event.id(), CanonicalJson.exact(CloudEventJson.of(event)), behind);
    }

    /** What it takes of memory, about. */
    long bytes() {
        return (long) body.length + OVERHEAD;
    }
}
