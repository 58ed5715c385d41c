/** What leaves a server: webhooks, delivered by the outbox through the one client for what leaves the house. */
@NullMarked
package dev.flowstone.server.effect;

import org.jspecify.annotations.NullMarked;
