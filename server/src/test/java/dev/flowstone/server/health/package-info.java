@NullMarked
package dev.flowstone.server.health;

import org.jspecify.annotations.NullMarked;
