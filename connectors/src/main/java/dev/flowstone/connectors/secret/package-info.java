/** Takes secrets out of texts that are told, in whatever form they stand there. */
@NullMarked
package dev.flowstone.connectors.secret;

import org.jspecify.annotations.NullMarked;
