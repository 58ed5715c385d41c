/** Tests of programs in short form. */
@NullMarked
package dev.flowstone.testkit.scenario.program;

import org.jspecify.annotations.NullMarked;
