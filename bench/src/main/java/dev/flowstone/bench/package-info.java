/**
 * How fast it is here: load through the engine's own door on a real database, beside what the database alone can do in the
 * same minutes. A benchmark is not a test: it has no bound to pass.
 */
@NullMarked
package dev.flowstone.bench;

import org.jspecify.annotations.NullMarked;
