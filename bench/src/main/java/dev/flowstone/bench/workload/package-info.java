/** One class for each workload: what is started, how it is driven, which figures tell how it went. */
@NullMarked
package dev.flowstone.bench.workload;

import org.jspecify.annotations.NullMarked;
