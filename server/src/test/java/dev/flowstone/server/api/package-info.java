/** REST through real HTTP, on ports in memory. */
@NullMarked
package dev.flowstone.server.api;

import org.jspecify.annotations.NullMarked;
