/**
 * The one path that every HTTP call takes (docs/adr/0008-http-conventions.md): correlation id, route, caller and tenant,
 * scope, idempotency key, query, body, answer or problem. A route is data ({@link dev.flowstone.server.http.Route}); what
 * it does is a function from {@link dev.flowstone.server.http.Call} to {@link dev.flowstone.server.http.Reply}.
 *
 * <pre>
 *  request ─▶ Border ─▶ Routes.find ─▶ Callers.identify ─▶ budget ─▶ scope ─▶ query, body ─▶ handler ─▶ Reply
 *                │                                                                               │
 *                └───────────────────── ProblemException ─▶ Problem ◀───────────────────────────┘
 * </pre>
 */
@NullMarked
package dev.flowstone.server.http;

import org.jspecify.annotations.NullMarked;
