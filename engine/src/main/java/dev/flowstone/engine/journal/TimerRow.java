package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;

/** A timer as the database keeps it. */
public record TimerRow(RunKey run, TimerId timer, int generation, Instant dueAt) {}
