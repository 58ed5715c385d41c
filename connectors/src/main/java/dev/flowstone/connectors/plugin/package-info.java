/** Connectors that are found: on the class path, and in jars of a folder, each with a class loader of its own. */
@NullMarked
package dev.flowstone.connectors.plugin;

import org.jspecify.annotations.NullMarked;
