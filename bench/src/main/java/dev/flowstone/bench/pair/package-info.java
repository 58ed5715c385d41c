/**
 * Two PostgreSQL servers that Patroni makes a pair of, on one machine, from the very files that {@code deploy/ha} hands to operators:
 * what they promise is tried with them.
 *
 * <pre>
 *   etcd db-1 · etcd db-2 · etcd node-3        who is primary
 *        │           │
 *   Patroni db-1  Patroni db-2
 *        │           │
 *   PostgreSQL ══▶ PostgreSQL                  each commit is on both
 * </pre>
 *
 * <p>Each has its address in a network of the loopback interface that is this pair's own, so that ports are the files' own, too.
 */
@NullMarked
package dev.flowstone.bench.pair;

import org.jspecify.annotations.NullMarked;
