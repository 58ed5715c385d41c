/**
 * The world that a seed plays in: one database in virtual time, a few nodes over it that run the production engine, handlers
 * that keep a ledger of their effects, callers that remember what they were told, a network between them. Nothing moves by
 * itself: whoever holds the world steps its nodes and moves its clock.
 *
 * <p>What the engine does not know about itself is watched here, at its ports: every decision ({@link
 * dev.flowstone.engine.shard.DecisionRule}), every commit and its epoch, every call of a handler, every answer. Faults are
 * put into the ports; the rules that the whole must keep are elsewhere, in {@code invariant}.
 */
@NullMarked
package dev.flowstone.testkit.simulation.world;

import org.jspecify.annotations.NullMarked;
