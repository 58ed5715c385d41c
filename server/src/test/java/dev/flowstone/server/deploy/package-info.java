@NullMarked
package dev.flowstone.server.deploy;

import org.jspecify.annotations.NullMarked;
