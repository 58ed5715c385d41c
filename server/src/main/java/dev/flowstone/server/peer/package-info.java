/**
 * How nodes speak to each other: over a port of its own, on which both sides show certificates. A call that came to a node
 * which can't answer it goes to the one that can, with who calls, and never further.
 *
 * <pre>
 * caller ──▶ node a: let in, routed; its run's shard is b's ──TLS──▶ node b: the same route ──▶ answer ──▶ a ──▶ caller
 * </pre>
 */
@NullMarked
package dev.flowstone.server.peer;

import org.jspecify.annotations.NullMarked;
