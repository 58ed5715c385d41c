/** What goes wrong: one class for each fault. A new one is named in {@link dev.flowstone.testkit.simulation.fault.Fault} and nowhere else. */
@NullMarked
package dev.flowstone.testkit.simulation.fault;

import org.jspecify.annotations.NullMarked;
