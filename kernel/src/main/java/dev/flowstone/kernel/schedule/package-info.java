/**
 * When something is due (rule R19): schedules, recurrences that keep their grid, written durations and instants. Pure: no
 * clock and no configuration of the machine; a time zone's rules are those of the JDK. The notation of schedules is read
 * by the floor above.
 *
 * <pre>
 * text ──Schedules.read──▶ Parsed(Schedule) ──next(zone, from)──▶ Due, or never
 *                    └───▶ Refused(fault: which field, what is wrong, what is right)
 * </pre>
 */
@NullMarked
package dev.flowstone.kernel.schedule;

import org.jspecify.annotations.NullMarked;
