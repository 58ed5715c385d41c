@NullMarked
package dev.flowstone.server.effect;

import org.jspecify.annotations.NullMarked;
