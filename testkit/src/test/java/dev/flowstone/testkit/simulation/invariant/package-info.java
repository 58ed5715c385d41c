/** The fault simulator: what it holds up against, and what it must see. */
@NullMarked
package dev.flowstone.testkit.simulation.invariant;

import org.jspecify.annotations.NullMarked;
