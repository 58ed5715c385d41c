/**
 * A worker: does tasks of runs that live in a Flowstone elsewhere. What the server has handed out is this worker's as long
 * as it is heard of; what came of it is told until the server has said that it knows.
 *
 * <pre>
 *  ClaimLoop ──claims──▶ Held ──▶ Execution (a virtual thread: your handler) ──▶ Completions ──tells, in batches──▶ done
 *      ▲                  │                                                          │
 *      └── Slots ◀────────┼──────────────────────────── a place is free ◀────────────┘
 *                       Heart: still at it · canceled · gone
 * </pre>
 */
@NullMarked
package dev.flowstone.sdk.worker;

import org.jspecify.annotations.NullMarked;
