@NullMarked
package dev.flowstone.server.http;

import org.jspecify.annotations.NullMarked;
