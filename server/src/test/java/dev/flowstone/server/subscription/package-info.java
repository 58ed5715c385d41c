@NullMarked
package dev.flowstone.server.subscription;

import org.jspecify.annotations.NullMarked;
