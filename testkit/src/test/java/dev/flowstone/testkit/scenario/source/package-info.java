@NullMarked
package dev.flowstone.testkit.scenario.source;

import org.jspecify.annotations.NullMarked;
