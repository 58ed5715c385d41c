/** What people, other processes and operators do: one class for each. */
@NullMarked
package dev.flowstone.testkit.simulation.action;

import org.jspecify.annotations.NullMarked;
