/** What comes for triggers at one node. */
@NullMarked
package dev.flowstone.server.trigger;

import org.jspecify.annotations.NullMarked;
