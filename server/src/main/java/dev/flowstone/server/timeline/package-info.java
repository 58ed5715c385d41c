/** A run told to a person: one line for each event worth seeing, the same while it happens and afterwards. */
@NullMarked
package dev.flowstone.server.timeline;

import org.jspecify.annotations.NullMarked;
