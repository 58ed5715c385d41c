@NullMarked
package dev.flowstone.server.help;

import org.jspecify.annotations.NullMarked;
