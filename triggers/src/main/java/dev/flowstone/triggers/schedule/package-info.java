/**
 * When a schedule trigger fires (issue 6, part 5): the project's own cron in a time zone, and what becomes of ticks that passed while nobody
 * fired them. Pure: whoever fires them says what time it is.
 *
 * <pre>
 *      since, or a while ago ─┐ boundary                 now
 *   ──┴────┴────┴────┴────┴───┼──┴────┴────┴────┴────┴────┤
 *     missed: the policy says │ late at most: each fires  │ next
 * </pre>
 */
@NullMarked
package dev.flowstone.triggers.schedule;

import org.jspecify.annotations.NullMarked;
