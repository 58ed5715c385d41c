/** The catalog's lifecycle, on definitions in memory. */
@NullMarked
package dev.flowstone.testkit.workflow;

import org.jspecify.annotations.NullMarked;
