/**
 * Promises that only the whole house can keep, each proved through its doors: definitions in, HTTP or the engine's own door,
 * a real PostgreSQL underneath, and the stored history as the judge.
 */
@NullMarked
package dev.flowstone.server.e2e;

import org.jspecify.annotations.NullMarked;
