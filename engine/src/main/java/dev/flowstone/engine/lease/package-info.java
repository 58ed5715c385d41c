/** Who may write: shards, leases and their fencing epochs. */
@NullMarked
package dev.flowstone.engine.lease;

import org.jspecify.annotations.NullMarked;
