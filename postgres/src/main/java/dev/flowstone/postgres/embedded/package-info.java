/**
 * A real PostgreSQL beside the engine: its binaries out of the build's dependencies, its cluster in a data directory, one
 * Flowstone at a time. Durable settings are written down and then asked back from the running server.
 */
@NullMarked
package dev.flowstone.postgres.embedded;

import org.jspecify.annotations.NullMarked;
