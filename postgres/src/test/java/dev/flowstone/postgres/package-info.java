/** Against a real server, one for each JVM and a database for each test. */
@NullMarked
package dev.flowstone.postgres;

import org.jspecify.annotations.NullMarked;
