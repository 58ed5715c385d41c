package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.Sha256;

/** A journal entry as read back; see {@link dev.flowstone.kernel.event.JournalEntry}. */
@SuppressWarnings("ArrayRecordComponent")
public record StoredEntry(long firstSequence, long lastSequence, byte[] bytes, Sha256 hash) {}
