@NullMarked
package dev.flowstone.server.trigger;

import org.jspecify.annotations.NullMarked;
