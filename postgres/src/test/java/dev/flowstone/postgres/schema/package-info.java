/** Migrations are numbered without a gap, and this release applies every one of them. */
@NullMarked
package dev.flowstone.postgres.schema;

import org.jspecify.annotations.NullMarked;
