/**
 * How many calls of whom this node lets in (dataflow.md §12.3): budgets that fill evenly and allow bursts, one for each caller, for
 * each caller as a worker, for each webhook, and for each workflow's starts. Counted in memory: each node has its own.
 */
@NullMarked
package dev.flowstone.server.rate;

import org.jspecify.annotations.NullMarked;
