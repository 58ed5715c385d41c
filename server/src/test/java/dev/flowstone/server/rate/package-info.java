@NullMarked
package dev.flowstone.server.rate;

import org.jspecify.annotations.NullMarked;
