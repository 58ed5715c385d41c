/**
 * A run as dataflow.md sees it: an execution with a status of its five, and actions, which are the attempts at its nodes.
 * Everything here is folded from the run's events; nothing is stored beside them.
 */
@NullMarked
package dev.flowstone.server.execution;

import org.jspecify.annotations.NullMarked;
