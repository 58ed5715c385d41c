/** Numbered migrations and the three roles: owner, engine, api. */
@NullMarked
package dev.flowstone.postgres.schema;

import org.jspecify.annotations.NullMarked;
