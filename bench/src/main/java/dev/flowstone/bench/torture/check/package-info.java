/**
 * What was acknowledged, what was done outside and what the runs' histories say, held against each other. Pure: whoever has the three
 * can judge.
 */
@NullMarked
package dev.flowstone.bench.torture.check;

import org.jspecify.annotations.NullMarked;
