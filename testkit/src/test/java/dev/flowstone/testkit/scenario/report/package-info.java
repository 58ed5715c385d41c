@NullMarked
package dev.flowstone.testkit.scenario.report;

import org.jspecify.annotations.NullMarked;
