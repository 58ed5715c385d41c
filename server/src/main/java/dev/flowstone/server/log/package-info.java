/**
 * The log as records with fields: whose work a line is about, read from where the thread is. Nothing of what runs carry and no
 * name of a person is a field, and an e-mail address only if a setting says so.
 */
@NullMarked
package dev.flowstone.server.log;

import org.jspecify.annotations.NullMarked;
