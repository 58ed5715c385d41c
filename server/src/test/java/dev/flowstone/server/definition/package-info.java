/** How the server chooses the dialect of a source. */
@NullMarked
package dev.flowstone.server.definition;

import org.jspecify.annotations.NullMarked;
