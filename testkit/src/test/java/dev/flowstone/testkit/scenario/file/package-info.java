@NullMarked
package dev.flowstone.testkit.scenario.file;

import org.jspecify.annotations.NullMarked;
