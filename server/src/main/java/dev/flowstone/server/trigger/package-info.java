/** What stands behind triggers at one node: their deliveries are claimed and settled in batches, one transaction for many. */
@NullMarked
package dev.flowstone.server.trigger;

import org.jspecify.annotations.NullMarked;
