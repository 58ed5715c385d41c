/** Micro-benchmarks (JMH): what one operation of a floor costs by itself. */
@NullMarked
package dev.flowstone.bench.jmh;

import org.jspecify.annotations.NullMarked;
