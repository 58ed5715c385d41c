/** What became of scenarios: results as data, and told as text, as JUnit's XML and as JSON. */
@NullMarked
package dev.flowstone.testkit.scenario.report;

import org.jspecify.annotations.NullMarked;
