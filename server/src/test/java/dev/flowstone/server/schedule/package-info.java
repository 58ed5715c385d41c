/** What tests of schedules share. */
@NullMarked
package dev.flowstone.server.schedule;

import org.jspecify.annotations.NullMarked;
