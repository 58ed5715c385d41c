/** What may be asked of a run. One record for each command; time and randomness come beside it, in the {@link dev.flowstone.kernel.command.Stamp}. */
@NullMarked
package dev.flowstone.kernel.command;

import org.jspecify.annotations.NullMarked;
