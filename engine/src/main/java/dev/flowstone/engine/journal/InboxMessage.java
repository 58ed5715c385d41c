package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;

/** Something that arrived durably for a run, from another process than its shard's owner. */
public record InboxMessage(InboxKey key, RunId run, String kind, JsonObject content, Instant receivedAt) {}
