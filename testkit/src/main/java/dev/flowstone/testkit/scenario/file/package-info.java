/**
 * Scenario files: found, read, and their definitions compiled, so that what comes out can be run and what can't is told
 * with file and line, all of it in one go. {@link dev.flowstone.testkit.scenario.file.Compilers} is where dialects come in.
 */
@NullMarked
package dev.flowstone.testkit.scenario.file;

import org.jspecify.annotations.NullMarked;
