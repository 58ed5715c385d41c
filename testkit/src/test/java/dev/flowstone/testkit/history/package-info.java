/** The checker of histories says yes to what can be, and above all no to what can't. */
@NullMarked
package dev.flowstone.testkit.history;

import org.jspecify.annotations.NullMarked;
