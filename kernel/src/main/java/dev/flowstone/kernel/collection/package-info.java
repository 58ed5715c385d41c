/**
 * Immutable maps whose changed copies share almost everything with the original: one change costs O(log n). Both keep
 * their keys in order and never look at a hash code, so that what is read from them is the same in every process.
 */
@NullMarked
package dev.flowstone.kernel.collection;

import org.jspecify.annotations.NullMarked;
