@NullMarked
package dev.flowstone.testkit.scenario.check;

import org.jspecify.annotations.NullMarked;
