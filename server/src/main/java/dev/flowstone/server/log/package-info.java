/**
 * The log as records with fields: whose work a line is about, read from where the thread is. Nothing of what runs carry,
 * no e-mail address and no name of a person is a field.
 */
@NullMarked
package dev.flowstone.server.log;

import org.jspecify.annotations.NullMarked;
