/**
 * A bad network on the loopback interface: a proxy in front of a server that holds back, delays, resets, and loses answers.
 *
 * <pre>
 *  client ──requests──▶ Link ──▶ server      Weather says, for all links of a proxy at once, how requests and answers
 *         ◀──answers───      ◀──             pass; CommitWatch knows which answer is a commit's
 * </pre>
 */
@NullMarked
package dev.flowstone.bench.torture.net;

import org.jspecify.annotations.NullMarked;
