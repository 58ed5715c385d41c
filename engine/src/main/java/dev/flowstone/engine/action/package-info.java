/** The built-in actions. Each is a handler and a description, which validation and documentation read. */
@NullMarked
package dev.flowstone.engine.action;

import org.jspecify.annotations.NullMarked;
