/** How the engine behaves, told in stories over the database in memory. */
@NullMarked
package dev.flowstone.testkit.scenario;

import org.jspecify.annotations.NullMarked;
