/** Runs in the words of the specification. */
@NullMarked
package dev.flowstone.server.execution;

import org.jspecify.annotations.NullMarked;
