/** What every implementation of the engine's ports must do, as test classes to extend: one factory method, many promises. */
@NullMarked
package dev.flowstone.testkit.conformance;

import org.jspecify.annotations.NullMarked;
