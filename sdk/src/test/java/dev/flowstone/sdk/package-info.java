/** What is true of the whole library. */
@NullMarked
package dev.flowstone.sdk;

import org.jspecify.annotations.NullMarked;
