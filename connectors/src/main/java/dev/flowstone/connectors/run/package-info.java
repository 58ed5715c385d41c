/** An action as the engine's handler: bound, run, and its answer turned into what a run may be told. */
@NullMarked
package dev.flowstone.connectors.run;

import org.jspecify.annotations.NullMarked;
