/**
 * One hardened HTTP client for everything that leaves the house: webhooks, HTTP steps, connectors.
 *
 * <p>The one idea: what is connected to is what was checked. A URL is read strictly or not at all, a name is looked up once, each
 * of its addresses is checked, and the connection goes to one of exactly these; a redirect begins again at the top.
 *
 * <pre>
 * OutboundRequest ──RequestCheck──▶ Target ──CheckedResolver──▶ addresses ──Exchange──▶ Answer ──Redirects──▶ Outcome
 *                     method,        strict    name looked up     pinned      bounded     ▲          │
 *                     headers         URL      once, all checked              in bytes    └── next ◀─┘
 * └──────────────────────────── the whole of it within one deadline ───────────────────────────────────┘
 * </pre>
 *
 * <p>Everything that may go wrong outside is a value, {@link dev.flowstone.outbound.Outcome}, with a stable code.
 */
@NullMarked
package dev.flowstone.outbound;

import org.jspecify.annotations.NullMarked;
