/**
 * Commands of callers outside: what people and other systems ask of runs that exist. Answered after the commit; a call
 * that names an idempotency key may be repeated.
 */
@NullMarked
package dev.flowstone.engine.call;

import org.jspecify.annotations.NullMarked;
