@NullMarked
package dev.flowstone.server.client;

import org.jspecify.annotations.NullMarked;
