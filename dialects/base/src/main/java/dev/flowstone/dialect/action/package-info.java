/** What both dialects have to know of the actions that definitions name. */
@NullMarked
package dev.flowstone.dialect.action;

import org.jspecify.annotations.NullMarked;
