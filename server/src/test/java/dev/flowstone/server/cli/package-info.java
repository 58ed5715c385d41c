/** The command line as its users see it: real processes, an embedded database. */
@NullMarked
package dev.flowstone.server.cli;

import org.jspecify.annotations.NullMarked;
