/**
 * Signal channels, semaphores and resource links (R20): what several runs of a tenant share. Each is journaled like a run
 * and named like one; its program is built in, and its state folds its own kinds of events.
 */
@NullMarked
package dev.flowstone.kernel.aggregate;

import org.jspecify.annotations.NullMarked;
