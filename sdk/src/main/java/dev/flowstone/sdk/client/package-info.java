/**
 * A Flowstone server from a Java program: {@link dev.flowstone.sdk.client.FlowstoneClient} and one small interface for each of
 * its areas. A call is answered or throws one of the {@link dev.flowstone.sdk.client.FlowstoneException}s; what may be repeated
 * without harm is repeated before it does, and what changes something is sent under a key, so that it is done once.
 *
 * <pre>
 * area (Workflows, Executions, …) ──Call──▶ Caller ──attempts, pauses, deadline──▶ Wire
 *          ▲                                   │
 *          └──records, read out of a Tree ─────┴──▶ RefusedException · UnreachableException · UnreadableAnswerException
 * </pre>
 *
 * What a newer server says besides is left aside; records that have a {@code json} keep it there.
 */
@NullMarked
package dev.flowstone.sdk.client;

import org.jspecify.annotations.NullMarked;
