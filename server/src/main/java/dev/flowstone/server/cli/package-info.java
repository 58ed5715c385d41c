/**
 * The command line: the one place that talks to the terminal and ends the process. Each command is a class with its
 * options; what it does is elsewhere, what it says is here.
 */
@NullMarked
package dev.flowstone.server.cli;

import org.jspecify.annotations.NullMarked;
