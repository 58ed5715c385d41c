/**
 * Events of all runs as they are committed, for readers who stay. The feed's streams give the order; a cursor says how far
 * one reader has come in each, so that a reader who comes back misses nothing and gets nothing twice.
 *
 * <pre>
 *   feed ── head of each stream ──▶ EventTail ── wakes ──▶ EventReader ── pages ──▶ one connection
 *             (one query for all readers of a node)          (its own cursor)
 * </pre>
 */
@NullMarked
package dev.flowstone.server.stream;

import org.jspecify.annotations.NullMarked;
