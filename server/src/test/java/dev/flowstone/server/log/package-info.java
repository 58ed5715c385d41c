@NullMarked
package dev.flowstone.server.log;

import org.jspecify.annotations.NullMarked;
