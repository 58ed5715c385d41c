package dev.flowstone.engine.journal;

/**
 * A run's state at an event.
 *
 * @param bytes canonical exact JSON; never change them
 */
@SuppressWarnings("ArrayRecordComponent")
public record Snapshot(long sequence, byte[] bytes) {}
