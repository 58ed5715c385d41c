/**
 * What runs and aggregates tell each other (R20–R22). A message leaves with the commit of the decision that sent it and
 * is decided by its receiver once: it is named by its sender and the number of the sender's event that caused it, and
 * the receiver remembers the last number that it heard of each sender. Per pair, first in, first out.
 */
@NullMarked
package dev.flowstone.kernel.message;

import org.jspecify.annotations.NullMarked;
