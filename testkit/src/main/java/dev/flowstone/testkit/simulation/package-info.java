/**
 * The fault simulator: whole worlds out of a seed, in which everything goes wrong that can, and rules that hold all the same.
 *
 * <pre>
 *  seed ─▶ programs, settings           one thread, one virtual clock, nothing random but the seed
 *    │
 *    ├─▶ step 0 ─▶ step 1 ─▶ … ─▶ faults end, time goes on ─▶ rest
 *    │     │ a node works · a handler begins or answers · a message arrives · time passes     (progress)
 *    │     │ somebody starts a run · repeats it · answers from elsewhere · restarts a node    (action)
 *    │     └ a crash · a lost commit · a zombie · a storm · bad data · …                      (fault)
 *    └─▶ after every step: invariants on the runs that moved; at rest: all of them            (invariant)
 * </pre>
 *
 * <p>What runs is the production engine: {@link dev.flowstone.engine.node.EngineNode} with its shard loops, dispatcher, timers
 * and lease keeper. Simulated are the things around it, by its ports: the database's answers (a {@link
 * dev.flowstone.testkit.memory.InMemoryDatabase} behind faults), each node's clock, the handlers and how long they take, other
 * processes' messages, callers. There is no copy of any rule of the engine here; the invariants know only what is stored, what
 * handlers were called, and what callers were told.
 *
 * <p><b>How a seed replays.</b> Every step throws dice of its own, made of the seed and the step's number. So a seed is a list of
 * numbered steps, the same list gives the same history to the last byte, and steps can be left out without changing what the
 * others mean to do: that is how a failure is made small ({@link dev.flowstone.testkit.simulation.Plan}). How a handler ends
 * depends on the seed and the attempt's name alone.
 *
 * <p><b>How it grows.</b> A new kind of node is a {@code ProgramPiece}; a new fault, action or rule is one class, named in the
 * list of its package. The kinds of nodes, commands and events are counted by the kernel's sealed interfaces: one that never
 * happens fails the run.
 */
@NullMarked
package dev.flowstone.testkit.simulation;

import org.jspecify.annotations.NullMarked;
