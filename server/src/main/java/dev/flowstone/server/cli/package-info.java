/** The command line: the one place that talks to the terminal. */
@NullMarked
package dev.flowstone.server.cli;

import org.jspecify.annotations.NullMarked;
