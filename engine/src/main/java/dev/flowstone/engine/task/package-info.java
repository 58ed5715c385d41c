/** Work that tasks ask for: handlers, their calls, and who runs them. */
@NullMarked
package dev.flowstone.engine.task;

import org.jspecify.annotations.NullMarked;
