@NullMarked
package dev.flowstone.server.metric;

import org.jspecify.annotations.NullMarked;
