/** The engine: shards that make the decisions of many runs durable in one transaction, and everything that sends commands into that loop or reads events out of it. */
@NullMarked
package dev.flowstone.engine;

import org.jspecify.annotations.NullMarked;
