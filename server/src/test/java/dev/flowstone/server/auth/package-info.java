@NullMarked
package dev.flowstone.server.auth;

import org.jspecify.annotations.NullMarked;
