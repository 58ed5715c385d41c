/**
 * The short form of programs, for engine developers: scopes, nodes and edges in few words of YAML, everything else at its
 * default, so that a scenario can play what no public format says yet.
 */
@NullMarked
package dev.flowstone.testkit.scenario.program;

import org.jspecify.annotations.NullMarked;
