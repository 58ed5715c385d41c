/**
 * Traces by OpenTelemetry: a call's span, the spans of the decisions that it led to, of the attempts that these handed out,
 * of the deliveries; and when an execution is over, its span and its nodes', below which the attempts lie. Nothing is sent anywhere unless an endpoint is set; a caller's {@code traceparent} reaches handlers all
 * the same.
 */
@NullMarked
package dev.flowstone.server.trace;

import org.jspecify.annotations.NullMarked;
