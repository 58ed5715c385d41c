/**
 * Cron expressions of five or six fields with {@code L}, {@code W} and {@code #}, in any time zone; implements the kernel's
 * {@link dev.flowstone.kernel.schedule.Schedules}. Why it is our own: ADR 0009.
 *
 * <p>The one idea: a field is a set of bits, and a month is one of 14 × 12 (14 kinds of years), so that the days of every
 * month there will ever be are known when an expression is read. A search then walks months, never days or seconds, and
 * knows at once that there is nothing to find.
 *
 * <pre>
 * text ──CronSchedules──▶ fields ──FieldReader, DayOfMonthReader, DayOfWeekReader──▶ bits, DaysOfMonth, DaysOfWeek
 *                                                                                          │ MonthTable: 168 masks
 * CronSchedule.next ──ZonedSearch──▶ through gaps and overlaps of the zone ──WallTimes──▶ next time on the wall clock
 * </pre>
 */
@NullMarked
package dev.flowstone.expression.schedule;

import org.jspecify.annotations.NullMarked;
