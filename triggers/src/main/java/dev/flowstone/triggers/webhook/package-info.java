/**
 * Who may bring something in: whoever signs it with a live secret of the trigger, in time, by Standard Webhooks 1.0. Who can't sign learns
 * nothing, not even whether there is such a trigger.
 */
@NullMarked
package dev.flowstone.triggers.webhook;

import org.jspecify.annotations.NullMarked;
