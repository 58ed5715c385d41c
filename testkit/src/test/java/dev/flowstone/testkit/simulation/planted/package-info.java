/** Engines that break a rule, one class for each way: the simulator has to see every one of them. Never shipped. */
@NullMarked
package dev.flowstone.testkit.simulation.planted;

import org.jspecify.annotations.NullMarked;
