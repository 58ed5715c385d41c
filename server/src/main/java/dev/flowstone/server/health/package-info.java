/** How an installation fares, item by item: what it is, what it should be, and what to do about it. */
@NullMarked
package dev.flowstone.server.health;

import org.jspecify.annotations.NullMarked;
