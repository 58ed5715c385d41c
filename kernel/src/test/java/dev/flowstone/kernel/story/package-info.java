/**
 * What the kernel's tests tell stories with: a builder of programs, a tiny expression language, a run that is moved
 * command by command, and the invariants that are checked after each of them.
 */
@NullMarked
package dev.flowstone.kernel.story;

import org.jspecify.annotations.NullMarked;
