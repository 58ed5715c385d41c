/**
 * The rules that hold whatever goes wrong, one class for each, by their numbers in the kernel's rules. Some are checked after
 * every step on the runs that moved, all of them when faults have ended and everything has come to rest.
 */
@NullMarked
package dev.flowstone.testkit.simulation.invariant;

import org.jspecify.annotations.NullMarked;
