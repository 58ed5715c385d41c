/**
 * What goes wrong, one thing at a time, in an order that a seed draws; and how long it takes until all is well again.
 *
 * <pre>
 *      begin                end
 *  ──────┬───────────────────┬──────────────────┬──────── calm ───▶ the next one
 *        │ the fault lasts   │                  │
 *        └─ recovery of the others: a node is   └─ recovery: every node answers,
 *           away                                   runs start and finish at each
 * </pre>
 */
@NullMarked
package dev.flowstone.bench.torture.fault;

import org.jspecify.annotations.NullMarked;
