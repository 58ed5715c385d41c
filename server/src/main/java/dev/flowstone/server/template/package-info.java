/** Document templates as routes and runs use them: kept in one place, rendered by one rule. */
@NullMarked
package dev.flowstone.server.template;

import org.jspecify.annotations.NullMarked;
