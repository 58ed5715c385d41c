/** One node: which shards it owns, who runs them, how it starts and stops. */
@NullMarked
package dev.flowstone.engine.node;

import org.jspecify.annotations.NullMarked;
