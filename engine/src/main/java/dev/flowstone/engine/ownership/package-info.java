/** How shards come to a node and stay with it: the port that grants leases, and the keeper that renews them. */
@NullMarked
package dev.flowstone.engine.ownership;

import org.jspecify.annotations.NullMarked;
