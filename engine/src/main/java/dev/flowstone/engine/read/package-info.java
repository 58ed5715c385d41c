/** What people and programs read: run rows, entries, the feed. Never used by a decision. */
@NullMarked
package dev.flowstone.engine.read;

import org.jspecify.annotations.NullMarked;
