/**
 * Finds runs that stand still: what nothing can wake any more (I8), what should move and doesn't, and rows that don't say what the
 * run's log says. It reads page by page, costs what it looks at, and never asks a shard's loop.
 *
 * <pre>
 *  Suspects (rows, by their indexes) ─▶ StuckFinder ─▶ states of suspects only ─▶ Standstill (pure) ─▶ Finding
 * </pre>
 */
@NullMarked
package dev.flowstone.engine.stuck;

import org.jspecify.annotations.NullMarked;
