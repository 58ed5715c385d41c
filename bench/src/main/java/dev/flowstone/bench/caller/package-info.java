/**
 * Callers over HTTP in a process of their own, so that what they cost is not counted as the server's: one thread, many
 * connections, no more of HTTP than Flowstone's answers need. It knows nothing of the house.
 */
@NullMarked
package dev.flowstone.bench.caller;

import org.jspecify.annotations.NullMarked;
