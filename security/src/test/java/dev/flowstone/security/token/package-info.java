@NullMarked
package dev.flowstone.security.token;

import org.jspecify.annotations.NullMarked;
