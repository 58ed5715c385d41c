/**
 * The wiring: a configuration becomes a Flowstone that runs workflows ({@link dev.flowstone.server.node.Flowstone}), or one
 * that only looks ({@link dev.flowstone.server.node.ReadAccess}). Constructor calls, in one place; no container.
 */
@NullMarked
package dev.flowstone.server.node;

import org.jspecify.annotations.NullMarked;
