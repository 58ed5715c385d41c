/**
 * What each code means that a caller, a run or a definition is told, and what to do: one text, {@code docs/errors.md} with the tables of
 * faults and lints beside it, which the build puts into this module's jar, and which is shown as pages and on the command line.
 */
@NullMarked
package dev.flowstone.server.help;

import org.jspecify.annotations.NullMarked;
