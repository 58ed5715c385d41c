/** What rules must refuse, so that it is seen that they do. */
@NullMarked
package dev.flowstone.architecture.planted;

import org.jspecify.annotations.NullMarked;
