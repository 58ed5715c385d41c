/**
 * A worker in a process of its own, as a user would write one: it knows the worker library and nothing of the house, to which
 * it speaks over HTTP.
 */
@NullMarked
package dev.flowstone.bench.worker;

import org.jspecify.annotations.NullMarked;
