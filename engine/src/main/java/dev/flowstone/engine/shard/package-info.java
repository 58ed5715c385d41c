/**
 * The loop that makes the decisions of many runs durable in one transaction.
 *
 * <pre>
 *  callers, handlers ─▶ ShardQueue ─┐
 *  timers, inbox, recovery, redo ───┴▶ Intake ─▶ Turns ─▶ Decider ─▶ Committer ─▶ Settler ─▶ answers, tasks, listeners
 *                                              loads ▲                  │ losers, unknown, bad
 *                                                    └──────────────────┘
 * </pre>
 *
 * <p>One idea rules it: nothing is said before it is true. A decision's answer, its tasks and its timers wait for the
 * commit of the state that it was decided on; a rejection too. {@link dev.flowstone.engine.shard.ShardLoop#step} does one
 * round without a thread, a sleep or a clock of its own, so that a simulator can drive it.
 */
@NullMarked
package dev.flowstone.engine.shard;

import org.jspecify.annotations.NullMarked;
