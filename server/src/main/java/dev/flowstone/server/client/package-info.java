/** A server as its clients see it: one call, one answer, whatever goes wrong on the way a value. */
@NullMarked
package dev.flowstone.server.client;

import org.jspecify.annotations.NullMarked;
