package dev.flowstone.vendors.slack;

import dev.flowstone.action.Param;

/** A message that stands in a channel: both together are its id. */
record Posted(
        @Param("the channel's id") String channelId,

        @Param("the message's time, by which it is known in its channel")
        String ts,

        @Param("whether this attempt posted it") boolean isNew) {
    private static final char BETWEEN = '/';

    String id() {
        return channelId + BETWEEN + ts;
    }

    /** Of a link's id. */
    static Posted before(String id) {
        int end = id.indexOf(BETWEEN);
        return new Posted(id.substring(0, Math.max(0, end)), id.substring(end + 1), false);
    }
}
