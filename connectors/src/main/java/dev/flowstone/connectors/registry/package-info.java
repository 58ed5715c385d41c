/** What connectors there are and what they can do, checked once, when the node starts. */
@NullMarked
package dev.flowstone.connectors.registry;

import org.jspecify.annotations.NullMarked;
