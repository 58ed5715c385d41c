/** What happens by itself: nodes work, handlers begin and end, workers outside work, messages arrive, time passes. */
@NullMarked
package dev.flowstone.testkit.simulation.progress;

import org.jspecify.annotations.NullMarked;
