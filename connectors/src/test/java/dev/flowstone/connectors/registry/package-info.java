@NullMarked
package dev.flowstone.connectors.registry;

import org.jspecify.annotations.NullMarked;
