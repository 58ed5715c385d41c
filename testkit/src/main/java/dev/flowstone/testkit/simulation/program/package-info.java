/**
 * Programs out of a seed: scopes of both kinds inside each other, cycles, exits, every kind of node. Each kind of node has one
 * {@link dev.flowstone.testkit.simulation.program.ProgramPiece}; a new kind is one more.
 */
@NullMarked
package dev.flowstone.testkit.simulation.program;

import org.jspecify.annotations.NullMarked;
