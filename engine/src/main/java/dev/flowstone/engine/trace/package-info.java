/**
 * Follows what is asked through the engine: from the call through the decision to the attempt and the effect. The engine
 * carries marks in memory and knows nothing of what they mean; they are in no event and in no row, so that no decision
 * can depend on them: ADR 0018.
 */
@NullMarked
package dev.flowstone.engine.trace;

import org.jspecify.annotations.NullMarked;
