/** Whether the journal still is what was written: every chain recomputed from the stored bytes. */
@NullMarked
package dev.flowstone.engine.verify;

import org.jspecify.annotations.NullMarked;
