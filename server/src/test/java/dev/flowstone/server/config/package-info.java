/** Where settings come from. */
@NullMarked
package dev.flowstone.server.config;

import org.jspecify.annotations.NullMarked;
