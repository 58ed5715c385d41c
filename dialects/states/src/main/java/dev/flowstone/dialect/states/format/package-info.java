/** What the format looks like: one table, from which sources are checked and the published JSON Schema is written. */
@NullMarked
package dev.flowstone.dialect.states.format;

import org.jspecify.annotations.NullMarked;
