/** Runs programs with the production engine, single-threaded, in virtual time, without a database. */
@NullMarked
package dev.flowstone.testkit.scenario;

import org.jspecify.annotations.NullMarked;
