/** The borders: what leaves through the outbox and what enters through the inbox. */
@NullMarked
package dev.flowstone.engine.effect;

import org.jspecify.annotations.NullMarked;
