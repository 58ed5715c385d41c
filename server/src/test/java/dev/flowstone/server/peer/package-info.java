@NullMarked
package dev.flowstone.server.peer;

import org.jspecify.annotations.NullMarked;
