/**
 * Whether a company of real processes on a real database keeps its promises while everything around it breaks: a driver with a ledger of
 * its own, faults by a seed, and a verdict at the end.
 *
 * <pre>
 *  load: clients ──REST──▶ company: three nodes ──▶ net: proxies ──▶ PostgreSQL
 *    │ ledger of commands       ▲        ▲ fault: kills, stops, breaks
 *    │                          │ tasks
 *    │                   a worker, and its ledger of effects
 *    └────────────▶ check: both ledgers against the runs' histories ──▶ report and picture
 * </pre>
 */
@NullMarked
package dev.flowstone.bench.torture;

import org.jspecify.annotations.NullMarked;
