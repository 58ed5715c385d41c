@NullMarked
package dev.flowstone.connectors.plugin;

import org.jspecify.annotations.NullMarked;
