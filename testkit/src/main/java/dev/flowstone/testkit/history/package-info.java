/**
 * What clients were told at the same time, and whether one thing that does one operation after the other could have told it:
 * whether the history is linearizable (Herlihy and Wing, <i>Linearizability: a correctness condition for concurrent objects</i>,
 * 1990).
 *
 * <pre>
 *  clients ─▶ Recorder ─▶ History ─┬─ by target ─▶ Linearizability ─▶ Verdict
 *    invoke, returned, unknown     │                  ▲    an order that explains every answer, or
 *                                  └─ …               │    how far one comes, and what can't be next, or
 *                                       SequentialModel    undecided: the steps were used up
 * </pre>
 *
 * <p>Every operation takes effect at one moment between its invocation and its answer. An operation that had returned before
 * another was invoked comes before it; of those that overlap either may come first. One whose answer was lost may have taken
 * effect at any moment after its invocation, or never. One that was refused before anything was done, and whose refusal says
 * nothing of the thing's state, is left out; a refusal that does say something is an answer like others, and the model knows it.
 */
@NullMarked
package dev.flowstone.testkit.history;

import org.jspecify.annotations.NullMarked;
