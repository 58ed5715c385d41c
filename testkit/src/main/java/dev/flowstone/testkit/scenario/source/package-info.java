/**
 * Texts that people write, read so that everything wrong with them can be told with file, line and column: YAML 1.2 and
 * JSON as one tree of JSON values that knows its places, and cursors that gather faults instead of stopping at the first.
 */
@NullMarked
package dev.flowstone.testkit.scenario.source;

import org.jspecify.annotations.NullMarked;
