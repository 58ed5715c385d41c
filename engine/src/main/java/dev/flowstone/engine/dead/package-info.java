/**
 * Dead letters: what could not be taken up, so that it delays nobody and is lost to nobody (dataflow.md §3.4, §11.2).
 *
 * <pre>
 *            failed                    taken up
 *  poison ──────────▶ WAITING ───────────────────────▶ gone
 *                      │  ▲ │ retried a few times        ▲
 *                      │  │ ▼                            │ purged
 *                      │  └ DEAD ────────────────────────┘
 *                      │  requeued
 *                      └─ due: tried again
 * </pre>
 *
 * <p>Whoever can't take something up leaves it in the {@link dev.flowstone.engine.dead.DeadLetterBox} and goes on. A letter is tried
 * again by the {@link dev.flowstone.engine.dead.Retrier} of its source, on a node that has its slot; people look at it, requeue and
 * purge it by {@link dev.flowstone.engine.dead.DeadLetters}. Messages of the outbox have a life of their own, and dead ones stay where
 * they are.
 */
@NullMarked
package dev.flowstone.engine.dead;

import org.jspecify.annotations.NullMarked;
