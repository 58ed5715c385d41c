/**
 * What operators do about a run that stands still: its rows are made anew from its log, or its shard takes it up again. The log
 * is the truth; rows are what lists, timers and takeovers read of it.
 */
@NullMarked
package dev.flowstone.engine.mend;

import org.jspecify.annotations.NullMarked;
