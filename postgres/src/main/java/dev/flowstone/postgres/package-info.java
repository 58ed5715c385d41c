/**
 * The engine's ports on PostgreSQL. One commit is one call, one message each way and one transaction, however many runs
 * it carries; {@code SQLException} stops here.
 */
@NullMarked
package dev.flowstone.postgres;

import org.jspecify.annotations.NullMarked;
